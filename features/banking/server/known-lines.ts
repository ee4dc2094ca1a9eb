import { createHash } from 'node:crypto'
import { meaningfulReference, type StatementLine } from './statement.ts'

type Fields = Pick<StatementLine, 'booked_on' | 'amount' | 'name' | 'iban' | 'text' | 'end_to_end'>
export type StoredLine = Fields & {
  id: string
  bank_ref: string
  key: Buffer
  nth: number
  /** True if it stands on another page of the same statement. */
  is_of_other_page: boolean
}
export type NewLine = StatementLine & { key: Buffer; nth: number }

/**
 * Returns the payments of a statement that are not stored yet, and the ids of the stored ones that the others are. No bank promises that
 * its references are unique: a payment is known again by all of its fields, its day and its count within the statement (rule 53). A
 * reference tells two payments apart where both bear one, and never makes two into one.
 */
export function newAmong(
  lines: readonly StatementLine[],
  stored: readonly StoredLine[],
): { fresh: NewLine[]; known: string[] } {
  const left = Map.groupBy(
    stored.filter(({ is_of_other_page }) => !is_of_other_page),
    fieldsOf,
  )
  const known: string[] = []
  const take = (line: StatementLine, isSame: (one: StoredLine) => boolean): boolean => {
    const alike = left.get(fieldsOf(line)) ?? []
    const place = alike.findLastIndex(isSame)
    if (place < 0) return false
    known.push(...alike.splice(place, 1).map(({ id }) => id))
    return true
  }
  // A stored payment with the same reference goes before one without: else the second would be taken from its own line.
  const unnamed = lines.filter(
    ({ bank_ref, ...line }) =>
      bank_ref === '' || !take({ ...line, bank_ref }, (one) => one.bank_ref === bank_ref),
  )
  const fresh = unnamed.filter(
    (line) => !take(line, ({ bank_ref }) => bank_ref === '' || line.bank_ref === ''),
  )
  return { fresh: numbered(fresh, stored), known }
}

const fieldsOf = ({ booked_on, amount, name, iban, text, end_to_end }: Fields): string =>
  JSON.stringify([booked_on, String(amount), name, iban, text, meaningfulReference(end_to_end)])

/** Numbers equal payments (`nth`), behind those that are stored: two payments that look alike are two payments. */
function numbered(lines: readonly StatementLine[], stored: readonly StoredLine[]): NewLine[] {
  const counts = new Map<string, number>()
  for (const { key, nth } of stored) {
    const hex = key.toString('hex')
    counts.set(hex, Math.max(nth, counts.get(hex) ?? 0))
  }
  return lines.map((line) => {
    const key = createHash('sha256')
      .update(JSON.stringify([fieldsOf(line), line.bank_ref]))
      .digest()
    const nth = (counts.get(key.toString('hex')) ?? 0) + 1
    counts.set(key.toString('hex'), nth)
    return { ...line, key, nth }
  })
}
