/** A period of days in the reader's time zone, as the address of a page has it: `2026-01-31`. Both days belong to it; without one the period is open. */
export type Days = { from?: string | undefined; to?: string | undefined }

/** Returns the period as the API takes it, in RFC 3339: from the first moment of the first day to the first moment after the last day. */
export function timesOf({ from, to }: Days): { from?: string; to?: string } {
  const start = startOf(from)
  const last = startOf(to)
  last?.setDate(last.getDate() + 1)
  return { ...(start ? { from: start.toISOString() } : {}), ...(last ? { to: last.toISOString() } : {}) }
}

/** Returns the first moment of a day in the reader's time zone; undefined if the text is no day, as in an address that was typed. */
function startOf(day = ''): Date | undefined {
  const [year, month, date] = /^\d{4}-\d\d-\d\d$/u.test(day) ? day.split('-').map(Number) : []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const start = new Date(year, month - 1, date)
  return dayOf(start) === day ? start : undefined
}

/** Returns the minute before an end. A period that ends at midnight is told of by its last day: "until 9 December, 00:00" reads as if the ninth counted. */
export const lastMinute = (until: string): string => new Date(Date.parse(until) - 60_000).toISOString()

export const dayOf = (date: Date): string =>
  [
    String(date.getFullYear()).padStart(4, '0'),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-')
