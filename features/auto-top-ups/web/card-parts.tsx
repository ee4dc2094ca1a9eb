import type { AutoTopUp } from '#features/auto-top-ups/contract.ts'
import { reasonText } from '#features/auto-top-ups/texts.ts'
import { methodName } from '#features/methods/texts.ts'
import { paths } from '#features/paths.ts'
import { amountOf } from '#foundation/money.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'

/** One sentence: what is charged, when, and how much at most. */
export function Terms({ standing }: { standing: AutoTopUp }) {
  const locale = useLocale()
  const { kind, method, month_limit, threshold, amount, used, days_ahead } = standing
  if (!month_limit) return null
  const said = {
    method: method ? methodName(method, { locale }) : m.auto_top_ups_a_method(),
    limit: formatMoney(month_limit),
  }
  const days = method?.kind === 'sepa_debit' ? days_ahead.direct_debit : days_ahead.at_once
  return (
    <div>
      <p>
        {kind === 'threshold' && threshold && amount
          ? m.auto_top_ups_threshold_text({
              ...said,
              threshold: formatMoney(threshold),
              amount: formatMoney(amount),
            })
          : m.auto_top_ups_cover_text({ ...said, days })}
      </p>
      {amountOf(used) > 0n ? (
        <p className="mt-1 text-muted">
          {m.auto_top_ups_used({ used: formatMoney(used), limit: formatMoney(month_limit) })}
        </p>
      ) : null}
    </div>
  )
}

/** The reason of a pause, or the limit that holds a charge back. */
export function Held({ standing: { state, reason } }: { standing: AutoTopUp }) {
  if (reason === null) return null
  return (
    <Alert tone="warning">
      {state === 'paused' ? <p className="font-medium">{m.auto_top_ups_paused_title()}</p> : null}
      <p>{reasonText(reason)}</p>
    </Alert>
  )
}

/** The charge that is on its way. It is not on the balance yet; one that waits for its customer leads to the page that finishes it. */
export function OpenRun({ standing: { open_run: run } }: { standing: AutoTopUp }) {
  if (!run) return null
  const amount = formatMoney(run.amount)
  if (run.state === 'announced')
    return <p>{m.auto_top_ups_announced_text({ amount, at: formatDate(run.charge_at) })}</p>
  if (run.state !== 'action_needed') return <p>{m.auto_top_ups_under_way_text({ amount })}</p>
  return (
    <Alert tone="warning">
      <p className="font-medium">{m.auto_top_ups_waits_title({ amount })}</p>
      <p className="mt-0.5">
        {m.auto_top_ups_waits_text({ until: run.act_until === null ? '' : formatDateTime(run.act_until) })}
      </p>
      {onlyReads() ? null : (
        <div className="mt-3">
          <ButtonLink look="primary" size="small" to={paths.allowCharge(run.id)}>
            {m.auto_top_ups_waits_go()}
          </ButtonLink>
        </div>
      )}
    </Alert>
  )
}
