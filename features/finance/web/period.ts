import { dayOf, type Days } from '#foundation/web/i18n/days.ts'

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
    return from === (days.from ?? '') && to === (days.to ?? '')
  })
