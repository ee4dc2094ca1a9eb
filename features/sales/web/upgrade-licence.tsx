import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '#features/paths.ts'
import type { Host } from '#features/hosts/contract.ts'
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
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { BeginNow, beginNow } from './begin-now.tsx'
import { applyOrder, usePlans } from './hooks.ts'
import { refusedOrder } from './refused-order.ts'
import { UpgradeChoice, UpgradeSummary } from './upgrade-summary.tsx'

const FRESH_MS = 600_000

/** The form that upgrades the running licence to a higher edition now. It shows the credit and the price before Enter pays. */
export function UpgradeLicence({ host, onClose }: { host: Host; onClose: () => void }) {
  const plans = usePlans(host.id)
  const higher = plans.data?.items.filter(({ upgrade }) => upgrade === true)
  const [slug, setSlug] = useState<string>()
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
  const form = useForm(async (fields) => {
    if (!shown) return undefined
    const body = { ...input.body, expected_total: shown.pay_now, as_of: shown.as_of, ...beginNow(fields) }
    const answer = await send(body, (headers) => call(upgradeLicence, { ...input, headers, body }))
    if (answer.status !== 201) {
      const present = presentIn(answer.body)
      if (present) {
        setBefore(shown.pay_now)
        keepAnswer(answer, keyOf(previewUpgrade, input), present)
      } else void preview.refetch()
      return refusedOrder(answer)
    }
    applyOrder(answer, answer.body.host)
    toastSuccess(() => m.sales_upgraded_toast({ name: host.name }))
    onClose()
    return undefined
  })
  const title = m.sales_upgrade_title({ name: host.name })
  const missing = shown && amountOf(shown.balance_after) < 0n ? -amountOf(shown.balance_after) : undefined
  return (
    <DialogForm
      form={form}
      act={title}
      onClose={onClose}
      actions={
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          {missing !== undefined ? (
            <ButtonLink look="primary" to={paths.finances({ missing: missing.toString() })}>
              {m.sales_top_up()}
            </ButtonLink>
          ) : (
            <SubmitButton disabled={!shown}>
              {shown ? m.sales_upgrade_pay({ amount: formatMoney(shown.pay_now) }) : m.sales_upgrade()}
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
      <BeginNow plan={plan} />
      {missing !== undefined && shown ? (
        <Alert tone="warning">
          {m.sales_upgrade_missing({ amount: formatMoney(toMoney(missing, shown.charge.currency)) })}
        </Alert>
      ) : null}
    </DialogForm>
  )
}

const presentIn = (body: unknown): UpgradePreview | undefined =>
  ((body ?? {}) as { preview?: UpgradePreview }).preview
