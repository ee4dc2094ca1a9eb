/** A span of days in the reader's time zone, as the address keeps it: `2026-01-31`, both days within; '' is open. */
export type Days = { from: string; to: string }

/**
 * The period in the form the API takes: from the first moment of the first day to the first one after the
 * last.
 */
export function timesOf({ from, to }: Days): { from?: string; to?: string } {
  const start = startOf(from)
  const last = startOf(to)
  last?.setDate(last.getDate() + 1)
  return { ...(start ? { from: start.toISOString() } : {}), ...(last ? { to: last.toISOString() } : {}) }
}

/** Midnight of a day in the reader's time zone; undefined if it is no day, as in an address typed by hand. */
function startOf(day: string): Date | undefined {
  const [year, month, date] = /^\d{4}-\d\d-\d\d$/u.test(day) ? day.split('-').map(Number) : []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const start = new Date(year, month - 1, date)
  return dayOf(start) === day ? start : undefined
}

export const dayOf = (date: Date): string =>
  [
    String(date.getFullYear()).padStart(4, '0'),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-')
