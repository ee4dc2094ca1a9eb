import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { paths } from '#features/paths.ts'
import type { Host } from '#features/hosts/contract.ts'
import { previewUpgrade, upgradeLicence, type Plan } from '#features/licences/contract.ts'
import type { UpgradePreview } from '#features/licences/upgrade-preview.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { keyOf, queryClient, queryFor } from '#foundation/web/api/query.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate, formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { BeginNow, beginNow } from './begin-now.tsx'
import { applyOrder, usePlans } from './hooks.ts'
import { Line } from './price-summary.tsx'
import { refusedOrder } from './refused-order.ts'

const FRESH_MS = 600_000

/** Changes the plan of the running licence to a higher edition now: what comes back and what it costs stand there before Enter pays. */
export function UpgradeLicence({ host, open, onClose }: DialogProps & { host: Host }) {
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
        queryClient.setQueryData(keyOf(previewUpgrade, input), present)
      } else void preview.refetch()
      return refusedOrder(answer)
    }
    applyOrder(answer.body.host)
    toastSuccess(() => m.licences_upgraded_toast({ name: host.name }))
    onClose()
    return undefined
  })
  const title = m.licences_upgrade_title({ name: host.name })
  const missing = shown && amountOf(shown.balance_after) < 0n ? -amountOf(shown.balance_after) : undefined
  return (
    <Dialog open={open} onClose={onClose} title={title} description={m.licences_upgrade_text()}>
      <Form form={form} label={title}>
        {higher?.length === 0 ? <p className="text-sm text-muted">{m.licences_upgrade_none()}</p> : null}
        <Choice
          plans={higher ?? []}
          chosen={plan}
          onChoose={(chosen) => {
            setSlug(chosen)
            setBefore(undefined)
          }}
        />
        {shown ? (
          <Summary shown={shown} before={before} plan={plan} />
        ) : (plans.error ?? preview.error) ? (
          <ErrorState
            title={m.licences_plans_failed()}
            error={plans.error ?? preview.error}
            onRetry={() => void (plans.error ? plans.refetch() : preview.refetch())}
          />
        ) : higher?.length === 0 ? null : (
          <Loading>
            <Skeleton className="h-40 rounded-md" />
          </Loading>
        )}
        <BeginNow plan={plan} />
        {missing !== undefined && shown ? (
          <Alert tone="warning">
            {m.licences_upgrade_missing({ amount: formatMoney(toMoney(missing, shown.charge.currency)) })}
          </Alert>
        ) : null}
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          {missing !== undefined ? (
            <ButtonLink look="primary" to={paths.finances({ missing: missing.toString() })}>
              {m.licences_top_up()}
            </ButtonLink>
          ) : (
            <SubmitButton disabled={!shown}>
              {shown ? m.licences_upgrade_pay({ amount: formatMoney(shown.pay_now) }) : m.licences_upgrade()}
            </SubmitButton>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const presentIn = (body: unknown): UpgradePreview | undefined =>
  ((body ?? {}) as { preview?: UpgradePreview }).preview

type ChoiceProps = { plans: readonly Plan[]; chosen: Plan | undefined; onChoose: (slug: string) => void }

function Choice({ plans, chosen, onChoose }: ChoiceProps) {
  const locale = useLocale()
  if (plans.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{m.licences_plan()}</legend>
      <div className="flex flex-col gap-2">
        {plans.map((plan) => (
          <label key={plan.slug} className={choiceClass}>
            <input
              type="radio"
              name="plan"
              value={plan.slug}
              checked={plan === chosen}
              onChange={() => onChoose(plan.slug)}
              className="size-4 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{plan.name[locale]}</span>
            <span className="text-muted tabular-nums">
              {m.hosts_price_for({ price: formatMoney(plan.price_total), term: formatTerm(plan.term) })}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const choiceClass =
  'flex cursor-pointer flex-wrap items-center gap-x-2.5 rounded-md border border-line p-3 text-sm hover:bg-hover ' +
  'has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 ' +
  'has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text'

type Shown = { shown: UpgradePreview; before: Money | undefined; plan: Plan | undefined }

/** Each period with what it gives back and costs, and what is to pay now. */
function Summary({ shown, before, plan }: Shown) {
  const locale = useLocale()
  const { periods, pay_now, balance_after, renewal } = shown
  return (
    <dl aria-live="polite" className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
      {periods.map(({ plan: old, starts_at, ends_at, credit, price }, place) => {
        const time = { from: formatDate(starts_at), until: formatDate(ends_at) }
        const given = formatMoney(toMoney(-amountOf(credit), credit.currency))
        return (
          <Fragment key={starts_at}>
            <Line
              name={m.licences_upgrade_period({ plan: shown.plan.name[locale], ...time })}
              apart={place > 0}
            >
              {formatMoney(price)}
            </Line>
            <Line name={m.licences_upgrade_credit({ plan: old[locale] })}>{given}</Line>
          </Fragment>
        )
      })}
      {before && before.amount !== pay_now.amount ? (
        <Line name={m.licences_price_before()}>
          <s>{formatMoney(before)}</s>
        </Line>
      ) : null}
      <Line name={m.licences_upgrade_now()} strong apart>
        {formatMoney(pay_now)}
      </Line>
      <Line name={m.licences_balance_after()} tone={amountOf(balance_after) < 0n ? 'danger' : undefined}>
        {formatMoney(balance_after)}
      </Line>
      <Line name={m.licences_upgrade_renewal()}>
        {plan ? m.hosts_price_for({ price: formatMoney(renewal), term: formatTerm(plan.term) }) : null}
      </Line>
    </dl>
  )
}
