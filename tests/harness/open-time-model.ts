import type { Open } from '#features/support/answers/rules.ts'
import { must } from '#foundation/must.ts'

/** A simple model of open time beside the product's: it walks quarters of an hour, by the clock that Intl shows in the zone. */

const QUARTER_ms = 900_000
const MINUTE_ms = 60_000

type Quarter = { at: number; day: string; minutes: number }

/** The quarters between two times, with the day and the minutes that a clock in the zone shows. */
export function quartersOf(zone: string, from: number, to: number): Quarter[] {
  const clock = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return Array.from({ length: (to - from) / QUARTER_ms }, (_, place) => {
    const at = from + place * QUARTER_ms
    const shown = clock.format(at)
    const minutes = Number(shown.slice(11, 13)) * 60 + Number(shown.slice(14, 16))
    return { at, day: shown.slice(0, 10), minutes }
  })
}

export type Calendar = { hours: readonly (Open | null)[]; holidays: readonly { day: string }[] }

/** Returns by time the quarters in which the desk is open. */
export function openQuarters(quarters: readonly Quarter[], { hours, holidays }: Calendar): Set<number> {
  const closed = new Set(holidays.map(({ day }) => day))
  const byDay = Map.groupBy(quarters, ({ day }) => day)
  const open = new Set<number>()
  for (const [day, ofDay] of byDay) {
    const today = hours[(new Date(day).getUTCDay() + 6) % 7]
    if (!today || closed.has(day)) continue
    const begins = shownAt(ofDay, today.from)
    const ends = today.to === '24:00' ? Infinity : shownAt(ofDay, today.to)
    for (const { at } of ofDay) if (at >= begins && at < ends) open.add(at)
  }
  return open
}

/** The last time at which a clock shows it, or, where the clock leaves it out, so long after the last time before it. */
function shownAt(ofDay: readonly Quarter[], shown: string): number {
  const minutes = Number(shown.slice(0, 2)) * 60 + Number(shown.slice(3))
  const last = ofDay.findLast((quarter) => quarter.minutes <= minutes)
  if (!last) return must(ofDay[0]).at
  return last.at + (minutes - last.minutes) * MINUTE_ms
}

/** Nothing is promised beyond so many days after the one on which somebody begins to wait. */
const MOST_DAYS = 400
const DAY_ms = 86_400_000

/** Returns when the desk has been open for so many minutes since then; null where that takes longer than `MOST_DAYS`. */
export function openTimeAfter(
  quarters: readonly Quarter[],
  open: ReadonlySet<number>,
  since: number,
  minutes: number,
): number | null {
  let rest = minutes * MINUTE_ms
  const first = Math.floor((since - must(quarters[0]).at) / QUARTER_ms)
  const last = new Date(Date.parse(must(quarters[first]).day) + MOST_DAYS * DAY_ms).toISOString().slice(0, 10)
  for (let place = first; ; place += 1) {
    const { at, day } = must(quarters[place])
    if (day > last) return null
    if (!open.has(at)) continue
    const begins = Math.max(at, since)
    const left = at + QUARTER_ms - begins
    if (rest <= left) return begins + rest
    rest -= left
  }
}
