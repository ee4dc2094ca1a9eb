import type { Host } from '#features/hosts/contract.ts'
import type { PaidPeriod } from '#features/sales/contract.ts'
import { nextPeriod, type Period, type Term } from '#features/licences/rules.ts'

/** Returns the period that an order of this term would pay for, by the same rule as on the server (rules.ts). */
export function periodAhead(
  term: Term,
  { paid_until }: Host['licence'],
  history: readonly PaidPeriod[],
  now: Date,
): Period {
  if (paid_until === null) return nextPeriod(term, now)
  return nextPeriod(term, now, { ends_at: new Date(paid_until), anchor_day: anchorOf(paid_until, history) })
}

/**
 * Returns the day of the month on which the unbroken runtime up to `end` began. In a month without that day, a
 * period begins on an earlier day, so the highest day among the periods is taken.
 */
function anchorOf(end: string, history: readonly PaidPeriod[]): number {
  let [joint, anchor] = [new Date(end).getTime(), new Date(end).getUTCDate()]
  for (const { starts_at, ends_at, kind, ended } of history) {
    if (new Date(ends_at).getTime() !== joint) continue
    // Paid time that follows a trial counts from the end of the trial, and after a refund from the day of the refund.
    if (kind === 'trial' || (ended === 'refunded' && starts_at !== ends_at)) break
    const start = new Date(starts_at)
    joint = start.getTime()
    anchor = Math.max(anchor, start.getUTCDate())
  }
  return anchor
}
