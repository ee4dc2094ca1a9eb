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

const nameOf = (ordinal: number): string => `${Math.floor(ordinal / 4)}-Q${(ordinal % 4) + 1}`
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
