import type { Money } from '#foundation/money.ts'

/** Returns the first day of a quarter (`2026-Q4`), and the first day after it. */
export function daysOf(quarter: string): { first_day: string; next_day: string } {
  const [year = '', number = ''] = quarter.split('-Q')
  const first = Date.UTC(Number(year), (Number(number) - 1) * 3, 1)
  const next = Date.UTC(Number(year), Number(number) * 3, 1)
  return { first_day: dayOf(first), next_day: dayOf(next) }
}

/** Returns the `count` quarters before the quarter of a day (`2026-11-23`), newest first: the first is the latest complete quarter. */
export function quartersBefore(day: string, count: number): string[] {
  const [year = '', month = ''] = day.split('-')
  const present = Number(year) * 4 + Math.floor((Number(month) - 1) / 3)
  return Array.from({ length: count }, (_, index) => nameOf(present - 1 - index))
}

/** Returns the quarter after a quarter (`2026-Q4`). */
export const quarterAfter = (quarter: string): string => {
  const [year = '', number = ''] = quarter.split('-Q')
  return nameOf(Number(year) * 4 + Number(number))
}

/** The most months that a sum, a report or an export covers. */
export const MOST_MONTHS = 24

/** Returns the day `months` later; a day that the month lacks becomes the month's last day. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** Returns the month `count` months after a month (`2026-01`). */
export const monthAfter = (month: string, count: number): string =>
  monthsLater(`${month}-01`, count).slice(0, 7)

/** Returns the number of months from `first` to `last`, both included; less than 1 if `last` is before `first`. */
export function monthsFrom(first: string, last: string): number {
  const ordinalOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
  return ordinalOf(last) - ordinalOf(first) + 1
}

/** Returns the day after a day (`2026-11-23`). */
export const nextDay = (day: string): string => dayOf(Date.parse(day) + 86_400_000)

/** Returns the amount that a document adds to the sales: negative for a credit note. */
export const signedTotal = ({ kind, total }: { kind: 'invoice' | 'credit_note'; total: Money }): Money =>
  kind === 'invoice' ? total : { ...total, amount: String(-BigInt(total.amount)) }

/** The kinds of files that the books are exported to. */
export const exportKinds = ['datev', 'vat', 'invoices', 'transactions', 'documents', 'audit'] as const
export type ExportKind = (typeof exportKinds)[number]

export const exportStates = ['waiting', 'ready', 'failed', 'removed'] as const
export type ExportState = (typeof exportStates)[number]

/** The reasons why a file was not made: another try fails again if the file is too large, but may succeed if the job gave up. */
export const exportFailures = ['too_large', 'gave_up'] as const

/** The number of days for which a file is kept. */
export const EXPORT_DAYS = 7

/** Returns the end of a span of days (`2026-11-23`) that does not suit the kind of file; undefined if both ends do. */
export function unsuitableEnd(kind: ExportKind, from: string, to: string): 'from' | 'to' | undefined {
  if (from > to || monthsIn(from, to).length > MOST_MONTHS) return 'to'
  if (kind === 'datev' && !from.endsWith('-01')) return 'from'
  if (kind === 'datev' && lastDayOf(to.slice(0, 7)) !== to) return 'to'
  if (kind === 'vat' && quarterOf(from, to) === undefined) return 'to'
  return undefined
}

/** The quarter that begins and ends with these days; undefined for any other span. */
export function quarterOf(from: string, to: string): string | undefined {
  const quarter = `${from.slice(0, 4)}-Q${Math.ceil(Number(from.slice(5, 7)) / 3)}`
  const { first_day, next_day } = daysOf(quarter)
  return from === first_day && nextDay(to) === next_day ? quarter : undefined
}

/** The months that a span touches, as `2026-11`. */
export function monthsIn(from: string, to: string): string[] {
  const ordinal = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
  const [first, last] = [ordinal(from), ordinal(to)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => monthName(first + index))
}

export const lastDayOf = (month: string): string =>
  dayOf(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0))

/** Returns a country's code as VAT returns write it: by ISO 3166, except for Greece. */
export const unionCountry = (country: string): string => (country === 'GR' ? 'EL' : country)

const monthName = (ordinal: number): string =>
  `${Math.floor(ordinal / 12)}-${String((ordinal % 12) + 1).padStart(2, '0')}`

const nameOf = (ordinal: number): string => `${Math.floor(ordinal / 4)}-Q${(ordinal % 4) + 1}`
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
