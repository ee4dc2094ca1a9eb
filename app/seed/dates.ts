import { nextPeriod, periodFrom, stepAt, firstTry, type Period, type Term } from '#features/licences/rules.ts'

const DAY_MS = 86_400_000

/** Returns the day that is `days` after now, at a time of day in UTC. */
export function daysFrom(now: Date, days: number, time: `${number}:${number}` = '10:00'): Date {
  const day = new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  return new Date(`${day}T${time.padStart(5, '0')}:00Z`)
}

export const daysAgo = (now: Date, days: number, time?: `${number}:${number}`): Date =>
  daysFrom(now, -days, time)

/** Returns the same day of a later month, but at most its 28th, because some months lack the days after it. */
export function monthsAfter(day: Date, months: number): Date {
  const after = new Date(day)
  after.setUTCMonth(day.getUTCMonth(), Math.min(day.getUTCDate(), 28))
  after.setUTCMonth(after.getUTCMonth() + months)
  return after
}

/** Returns the time at which a term must be bought to end at `end`. The term may end up to three days later, as months differ in length. */
export function startFor(term: Term, end: Date): Date {
  const longest = { P1M: 31, P3M: 92, P1Y: 366 }[term]
  for (let days = longest; ; days -= 1) {
    const start = new Date(end.getTime() - days * DAY_MS)
    if (periodFrom(term, start, start.getUTCDate()).ends_at >= end) return start
  }
}

/** Returns `count` terms without a gap, each with the time of its purchase. The last one ends at `end` or a few days later. */
export function consecutivePeriods(term: Term, end: Date, count: number): { at: Date; period: Period }[] {
  let start = end
  for (let place = 0; place < count; place += 1) start = startFor(term, start)
  const bought: { at: Date; period: Period }[] = []
  for (let place = 0; place < count; place += 1) {
    const last = bought.at(-1)?.period
    const at = last ? stepAt(last.ends_at, firstTry) : start
    bought.push({ at, period: nextPeriod(term, at, last) })
  }
  return bought
}
