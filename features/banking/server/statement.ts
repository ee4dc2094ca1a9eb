/** A statement as read from the file of a bank: any version of CAMT.053 (ISO 20022), or CSV. Amounts are in minor units. */
export type Statement = {
  id: string
  iban: string
  currency: string
  opened_on: string | null
  closed_on: string | null
  opening: bigint | null
  closing: bigint | null
  lines: StatementLine[]
}

/** One payment. `amount` is negative if the money left the account; `key` and `nth` together are unique within the account. */
export type StatementLine = {
  booked_on: string
  amount: bigint
  currency: string
  name: string
  iban: string
  text: string
  end_to_end: string
  key: Buffer
  nth: number
}

/** Thrown with the code of the refusal: `unreadable_file`, `balance_mismatch`, `too_many_lines`. */
export class StatementError extends Error {
  readonly code: 'unreadable_file' | 'balance_mismatch' | 'too_many_lines'
  constructor(code: StatementError['code']) {
    super(code)
    this.code = code
  }
}

export const unreadable = () => new StatementError('unreadable_file')

/** Numbers equal payments (`nth`) and does not merge them: two payments that look alike are two payments. */
export function numbered(lines: readonly Omit<StatementLine, 'nth'>[]): StatementLine[] {
  const counts = new Map<string, number>()
  return lines.map((line) => {
    const key = line.key.toString('hex')
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    return { ...line, nth }
  })
}
