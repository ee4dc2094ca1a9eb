import type { RunState } from '#features/auto-top-ups/rules.ts'
import { runStateText } from '#features/auto-top-ups/texts.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Badge, type Tone } from '#foundation/web/ui/badge.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { useRuns } from './hooks.ts'

const tones: Record<RunState, Tone> = {
  announced: 'neutral',
  charging: 'neutral',
  under_way: 'accent',
  action_needed: 'warning',
  paid: 'success',
  returned: 'danger',
  declined: 'danger',
  expired: 'danger',
  cancelled: 'neutral',
}

/** The charges of the automatic top-up with the words of their states, the newest first. */
export function Runs() {
  const pages = useRuns()
  return (
    <LoadedList query={pages} failed={m.auto_top_ups_fetch_failed()} none={m.auto_top_ups_runs_none()}>
      {(runs) => (
        <ul aria-label={m.auto_top_ups_runs()} className="-my-2 divide-y divide-line border-t border-line">
          {runs.map(({ id, state, amount, charge_at }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
              <span>{m.auto_top_ups_run_on({ amount: formatMoney(amount), at: formatDate(charge_at) })}</span>
              <Badge tone={tones[state]}>{runStateText(state)}</Badge>
            </li>
          ))}
        </ul>
      )}
    </LoadedList>
  )
}
