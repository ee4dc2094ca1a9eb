import { addMonths, chargeAfter, type Upcoming } from './rules.ts'

/** The limit of the forecast: nobody plans further ahead, and without a limit recurring charges would never end. */
const HORIZON_YEARS = 10

/**
 * Returns the due time of the first upcoming charge that a balance will not cover; null if there are no charges, or
 * if the balance lasts for more than ten years.
 */
export function lastsUntil(balance: bigint, upcoming: readonly Upcoming[], now: Date): Date | null {
  const horizon = addMonths(now, HORIZON_YEARS * 12)
  const due = upcoming.flatMap(({ due_at, total, months }) => {
    const times: { at: Date; total: bigint }[] = []
    for (let step = 0; ; step += 1) {
      const at = chargeAfter(due_at, step * months)
      if (at > horizon || (step > 0 && months < 1)) return times
      times.push({ at, total })
    }
  })
  let left = balance
  for (const { at, total } of due.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    if (left < total) return at
    left -= total
  }
  return null
}
