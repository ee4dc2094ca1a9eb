import { nextPeriod, periodFrom, stepAt, firstTry, type Period, type Term } from '#features/licences/rules.ts'

const DAY_MS = 86_400_000

/** A day at a time of day, UTC, counted from now. */
export function daysFrom(now: Date, days: number, time: `${number}:${number}` = '10:00'): Date {
  const day = new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  return new Date(`${day}T${time.padStart(5, '0')}:00Z`)
}

export const daysAgo = (now: Date, days: number, time?: `${number}:${number}`): Date =>
  daysFrom(now, -days, time)

/** The same day of a later month, but none of the last three, which some months lack. */
export function monthsAfter(day: Date, months: number): Date {
  const after = new Date(day)
  after.setUTCMonth(day.getUTCMonth(), Math.min(day.getUTCDate(), 28))
  after.setUTCMonth(after.getUTCMonth() + months)
  return after
}

/** The time at which somebody must have bought a term that ends at `end`; in a short month it ends up to three days later. */
export function startFor(term: Term, end: Date): Date {
  const longest = { P1M: 31, P3M: 92, P1Y: 366 }[term]
  for (let days = longest; ; days -= 1) {
    const start = new Date(end.getTime() - days * DAY_MS)
    if (periodFrom(term, start, start.getUTCDate()).ends_at >= end) return start
  }
}

/** A number of terms in an unbroken row, the last ending at about `end`, each with the moment of its purchase. */
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
