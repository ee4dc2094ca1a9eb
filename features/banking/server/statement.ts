/** A statement as the bank wrote it: CAMT.053, ISO 20022, in each version so far. Amounts in minor units. */
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

/** One payment. `amount` is negative where the money left; `key` and `nth` tell it from all others of its account. */
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

/** Equal payments are counted, not merged: two that look alike are two. */
export function numbered(lines: readonly Omit<StatementLine, 'nth'>[]): StatementLine[] {
  const counts = new Map<string, number>()
  return lines.map((line) => {
    const key = line.key.toString('hex')
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    return { ...line, nth }
  })
}
