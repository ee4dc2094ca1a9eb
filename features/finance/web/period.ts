/** A span of days in the reader's time zone, as the address keeps it: `2026-01-31`, both days within; '' is open. */
export type Days = { from: string; to: string }

export const periods = ['all', 'last_30_days', 'this_month', 'last_month', 'this_year', 'last_year'] as const
export type Period = (typeof periods)[number]

/** The days of a named period, seen from today. */
export function daysOf(period: Period, today = new Date()): Days {
  const year = today.getFullYear()
  const month = today.getMonth()
  switch (period) {
    case 'all':
      return { from: '', to: '' }
    case 'last_30_days':
      return { from: dayOf(new Date(year, month, today.getDate() - 29)), to: '' }
    case 'this_month':
      return { from: dayOf(new Date(year, month, 1)), to: '' }
    case 'last_month':
      return { from: dayOf(new Date(year, month - 1, 1)), to: dayOf(new Date(year, month, 0)) }
    case 'this_year':
      return { from: `${year}-01-01`, to: '' }
    case 'last_year':
      return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` }
    default:
      return period satisfies never
  }
}

/** The named period of these days; undefined if they were chosen by hand. */
export const periodOf = (days: Days, today = new Date()): Period | undefined =>
  periods.find((period) => {
    const { from, to } = daysOf(period, today)
    return from === days.from && to === days.to
  })

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

const dayOf = (date: Date): string =>
  [
    String(date.getFullYear()).padStart(4, '0'),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-')
