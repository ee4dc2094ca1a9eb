import type { CsvForm } from '#features/banking/csv-profile.ts'
import { dayOf } from './bank-text.ts'

const MONTHS = [
  /^jan/i,
  /^f[eé][bv]/i,
  /^m(?:ar|är|rz|aa|rt)/i,
  /^a[pv]r/i,
  /^ma[iy]|^mei/i,
  /^jun|^juin/i,
  /^jul|^juil/i,
  /^a(?:ug|o[uû])/i,
  /^sep/i,
  /^o[ck]t/i,
  /^nov/i,
  /^d[eé][cz]/i,
]

/**
 * Returns the day that a cell begins with. The usual form decides only where the cell leaves it open: a date with points has its day first,
 * one with four digits in front its year. Undefined for a day of no calendar, and where day and month could be either.
 */
export function dayIn(cell: string, form: CsvForm['date_form']): string | undefined {
  const text = cell.trim()
  const byYear =
    /^(?<y>\d{4})[-./](?<m>\d\d?)[-./](?<d>\d\d?)(?!\d)/.exec(text) ??
    /^(?<y>(?:19|20)\d\d)(?<m>\d\d)(?<d>\d\d)(?!\d)/.exec(text)
  if (byYear) return made(byYear.groups)
  const points = /^(?<d>\d\d?)\.\s?(?<m>\d\d?)\.\s?(?<y>\d{4}|\d\d)(?!\d)/.exec(text)
  if (points) return made(points.groups)
  const named =
    /^(?<d>\d\d?)\.?[\s-]+(?<name>\p{L}{3,12})\.?,?[\s-]+(?<y>\d{4}|\d\d)(?!\d)/u.exec(text) ??
    /^(?<name>\p{L}{3,12})\.?\s+(?<d>\d\d?),?\s+(?<y>\d{4})(?!\d)/u.exec(text)
  if (named) {
    const month = MONTHS.findIndex((one) => one.test(named.groups?.['name'] ?? '')) + 1
    return month === 0 ? undefined : made({ ...named.groups, m: String(month) })
  }
  const [, first = '', second = '', y = ''] = /^(\d\d?)[/-](\d\d?)[/-](\d{4}|\d\d)(?!\d)/.exec(text) ?? []
  if (y === '') return undefined
  if (form.startsWith('mm')) return made({ y, m: first, d: second })
  if (form.startsWith('dd')) return made({ y, m: second, d: first })
  // The form says nothing of such dates: only a number that is no month tells which is which.
  if (Number(first) > 12) return made({ y, m: second, d: first })
  return Number(second) > 12 ? made({ y, m: first, d: second }) : undefined
}

function made({ y = '', m = '', d = '' }: Record<string, string> = {}): string | undefined {
  const text = `${y.length === 2 ? `20${y}` : y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  return dayOf(text) ?? undefined
}

/** True if a cell is a day in the order of day and month that the form does not have: then no day of the file is certain. */
export function isInOtherOrder(cell: string, form: CsvForm['date_form']): boolean {
  if (dayIn(cell, form) !== undefined) return false
  const other = form.startsWith('mm') ? 'dd/mm/yyyy' : form.startsWith('dd') ? 'mm/dd/yyyy' : undefined
  return other !== undefined && dayIn(cell, other) !== undefined
}
