import type { Money } from '#foundation/money.ts'

/** A quarter of a year by its name, `2026-Q4`: its first day, and the first day after it. */
export function daysOf(quarter: string): { first_day: string; next_day: string } {
  const [year = '', number = ''] = quarter.split('-Q')
  const first = Date.UTC(Number(year), (Number(number) - 1) * 3, 1)
  const next = Date.UTC(Number(year), Number(number) * 3, 1)
  return { first_day: dayOf(first), next_day: dayOf(next) }
}

/** The quarters before that of a day (`2026-11-23`), newest first, so that the first is the last one that is over. */
export function quartersBefore(day: string, count: number): string[] {
  const [year = '', month = ''] = day.split('-')
  const present = Number(year) * 4 + Math.floor((Number(month) - 1) / 3)
  return Array.from({ length: count }, (_, index) => nameOf(present - 1 - index))
}

/** The quarter after this one. */
export const quarterAfter = (quarter: string): string => {
  const [year = '', number = ''] = quarter.split('-Q')
  return nameOf(Number(year) * 4 + Number(number))
}

/** Sums and reports read so many months at most. */
export const MOST_MONTHS = 24

/** A day so many months later; one that the month lacks is its last day. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** The day after this one. */
export const nextDay = (day: string): string => dayOf(Date.parse(day) + 86_400_000)

/** What a document adds to the sales: the amount of a credit note is taken off. */
export const signedTotal = ({ kind, total }: { kind: 'invoice' | 'credit_note'; total: Money }): Money =>
  kind === 'invoice' ? total : { ...total, amount: String(-BigInt(total.amount)) }

const nameOf = (ordinal: number): string => `${Math.floor(ordinal / 4)}-Q${(ordinal % 4) + 1}`
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
