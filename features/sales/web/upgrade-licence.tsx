import { useQuery } from '@tanstack/react-query'
import { paths } from '#features/paths.ts'
import { useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { acceptedTerms } from '#features/legal/rules.ts'
import { orderTerms } from '#features/legal/slots.ts'
import { previewUpgrade, upgradeLicence } from '#features/sales/contract.ts'
import type { UpgradePreview } from '#features/sales/upgrade-preview.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, queryFor } from '#foundation/web/api/query.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { BeginNow, beginNow } from './begin-now.tsx'
import { applyOrder, usePlans } from './hooks.ts'
import { interruptOrder, resumeOrder } from './interrupted-order.ts'
import { PayMissing } from './pay-missing.tsx'
import { refusedOrder } from './refused-order.ts'
import { usePaying, usePayOrder } from './use-paying.ts'
import { UpgradeChoice, UpgradeSummary } from './upgrade-summary.tsx'

const FRESH_MS = 600_000

/** The form that upgrades the running licence to a higher edition now. It shows the credit and the price before Enter pays. */
export function UpgradeLicence({ host, onClose }: { host: Host; onClose: () => void }) {
  const plans = usePlans(host.id)
  const higher = plans.data?.items.filter(({ upgrade }) => upgrade === true)
  const here = paths.host(host.id, { act: 'upgrade' })
  const [resumed] = useState(() => resumeOrder(here))
  const [slug, setSlug] = useState(resumed?.plan)
  const plan = higher?.find((each) => each.slug === slug) ?? higher?.[0]
  const input = { params: { hostId: host.id }, body: { plan: plan?.slug ?? '', scope: 'all' as const } }
  const preview = useQuery({
    ...queryFor(previewUpgrade, input),
    enabled: plan !== undefined,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    gcTime: 0,
  })
  const [before, setBefore] = useState<Money>()
  const send = useIntention()
  const shown = preview.data
  const short = shown && amountOf(shown.balance_after) < 0n ? -amountOf(shown.balance_after) : 0n
  const missing = shown && short > 0n ? toMoney(short, shown.charge.currency) : undefined
  const paying = usePaying(missing)
  const payOrder = usePayOrder(onClose)
  const form = useForm(
    async (fields) => {
      if (!shown) return undefined
      const body = { ...input.body, expected_total: shown.pay_now, as_of: shown.as_of, ...beginNow(fields) }
      const applyRefusal = (answer: Parameters<typeof refusedOrder>[0]) => {
        const present = presentIn(answer.body)
        if (present) {
          setBefore(shown.pay_now)
          keepAnswer(answer, keyOf(previewUpgrade, input), present)
        } else void preview.refetch()
        return refusedOrder(answer)
      }
      if (paying) {
        const order = { for: 'upgrade', host_id: host.id, ...body, ...acceptedTerms(fields) } as const
        const done = await payOrder(paying, fields, order)
        return done && applyRefusal(done.refused)
      }
      const answer = await send(body, (headers) => call(upgradeLicence, { ...input, headers, body }))
      if (answer.status !== 201) return applyRefusal(answer)
      applyOrder(answer, answer.body.host)
      toastSuccess(() => m.sales_upgraded_toast({ name: host.name }))
      onClose()
      return undefined
    },
    { about: host.id },
  )
  const title = m.sales_upgrade_title({ name: host.name })
  return (
    <DialogForm
      form={form}
      act={title}
      onClose={onClose}
      actions={
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          {missing && !paying ? null : (
            <SubmitButton disabled={!shown}>
              {paying
                ? m.sales_pay_upgrade({ amount: formatMoney(paying.due) })
                : shown
                  ? m.sales_upgrade_pay({ amount: formatMoney(shown.pay_now) })
                  : m.sales_upgrade()}
            </SubmitButton>
          )}
        </DialogActions>
      }
    >
      <p className="text-sm text-muted">
        {host.licence.trial_until === null ? m.sales_upgrade_text() : m.sales_trial_upgrade()}
      </p>
      {higher?.length === 0 ? <p className="text-sm text-muted">{m.sales_upgrade_none()}</p> : null}
      <UpgradeChoice
        plans={higher ?? []}
        chosen={plan}
        onChoose={(chosen) => {
          setSlug(chosen)
          setBefore(undefined)
        }}
      />
      {higher?.length === 0 ? null : (
        <Loaded
          query={{
            data: shown,
            error: plans.error ?? preview.error,
            refetch: plans.error ? plans.refetch : preview.refetch,
          }}
          failed={m.sales_plans_failed()}
          waiting="h-40"
        >
          {(known) => <UpgradeSummary shown={known} before={before} plan={plan} />}
        </Loaded>
      )}
      <BeginNow plan={shown} />
      {paying ? <Slot of={orderTerms} props={{}} /> : null}
      {missing ? (
        <PayMissing
          missing={missing}
          paying={paying}
          onWait={() => interruptOrder({ to: here, plan: plan?.slug ?? '' })}
        />
      ) : null}
    </DialogForm>
  )
}

const presentIn = (body: unknown): UpgradePreview | undefined =>
  ((body ?? {}) as { preview?: UpgradePreview }).preview
