import type { Cause, OddKind, OddReason } from '#features/banking/rules.ts'

/** A statement as read from the file of a bank: CAMT of any version (ISO 20022), or CSV. Amounts are in minor units. */
export type Statement = {
  kind: StatementKind
  id: string
  /** The number of the page, of a statement that the bank sends in pages. */
  page: number | null
  iban: string
  currency: string
  opened_on: string | null
  closed_on: string | null
  opening: bigint | null
  closing: bigint | null
  lines: StatementLine[]
}

export type StatementKind = 'camt.052' | 'camt.053' | 'camt.054' | 'csv'

/** One payment. `amount` is negative if the money left the account. */
export type StatementLine = {
  booked_on: string
  amount: bigint
  currency: string
  name: string
  iban: string
  text: string
  end_to_end: string
  /** The bank's reference of its entry; empty if the bank gives none that says anything. No bank promises that it is unique. */
  bank_ref: string
  /** The amount of the whole entry, of a payment that is a part of a batch. */
  batch_amount: bigint | null
  /** Its number in the statement, from 1. */
  place: number
  /** The reason why a person has to look at it whatever it says. */
  doubt: Cause | null
}

/** A part of a file that could not be read with certainty (rule 51): nothing of it is booked, and it stands on a list for staff. */
export type OddPart = {
  kind: OddKind
  reason: OddReason
  /** The name of the file within a ZIP, or the name of the statement. */
  source: string
  /** The number of the entry in its statement, or of the row in its file. */
  place: number | null
  /** The part as the bank wrote it, as far as a person needs it. */
  shown: string
}

/** All that one file brought. `pending` counts the payments that the bank has not booked yet; they come again in a later file. */
export type Delivery = { statements: Statement[]; odd: OddPart[]; pending: number }

export const emptyDelivery = (): Delivery => ({ statements: [], odd: [], pending: 0 })

/** Thrown with the code of the refusal, for a file of which nothing can be taken. */
export class StatementError extends Error {
  readonly code: OddReason | 'too_many_lines'
  constructor(code: StatementError['code']) {
    super(code)
    this.code = code
  }
}

export const unreadable = () => new StatementError('unreadable_file')

/** Returns a reference, or '' for one of the words that banks write where they have none. */
export const meaningfulReference = (reference: string): string =>
  /^(?:[\s0.,*/_-]*|none?|nil|null|nonref|no ?ref(?:erence)?|not ?provided|not ?available|n\/?a|unknown|unbekannt|keine?|ohne|x+)$/i.test(
    reference.trim(),
  )
    ? ''
    : reference.trim()
