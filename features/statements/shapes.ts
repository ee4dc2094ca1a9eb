import * as z from 'zod/mini'
import { transaction } from '#features/finance/contract.ts'
import { money } from '#foundation/money.ts'
import { count, named, time } from '#foundation/printed.ts'

/** The signed statement of a month, as lists show it. */
export const issuedStatement = z.strictObject({
  /** As `2026-10`, in the time zone of the operator. */
  month: z.string(),
  opening: money,
  closing: money,
  /** How many transactions are in it. */
  entries: count(),
  /** The fingerprint of the statement: the next one names it. */
  sha256: z.string(),
})
named('IssuedStatement', issuedStatement)
export type IssuedStatement = z.infer<typeof issuedStatement>

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const amount = money.shape.amount

const entry = z.strictObject({
  /** The number of the transaction among those of the account, without gaps. */
  number: z.int(),
  id: z.string(),
  at: time(),
  /** The day in the time zone of the statement. */
  day: z.string(),
  type: transaction.shape.type,
  description: transaction.shape.description,
  host: z.nullable(z.string()),
  /** In minor units, as are the balances. */
  amount,
  balance: amount,
  /** The number of the invoice or credit note. */
  document: z.nullable(z.string()),
})

const document = z.strictObject({
  number: z.string(),
  kind: z.enum(['invoice', 'credit_note']),
  issued_at: time(),
  total: amount,
  files: z.array(z.strictObject({ format: z.string(), version: z.int(), sha256 })),
})

/** The statement itself, which is signed. */
export const statementBody = z.strictObject({
  type: z.literal('hostdesk-statement'),
  version: z.literal(1),
  /** The address of the installation, and the name of the seller. */
  issuer: z.string(),
  seller: z.string(),
  account: z.string(),
  holder: z.string(),
  month: z.string(),
  time_zone: z.string(),
  since: time(),
  until: time(),
  currency: z.string(),
  opening: amount,
  closing: amount,
  /** The part of the closing balance that vouchers and credit gave: it is never paid out. */
  closing_gift: amount,
  entries: z.array(entry),
  documents: z.array(document),
  /** The statement of the account before this one; null for the first. */
  previous: z.nullable(z.strictObject({ month: z.string(), sha256 })),
})
export type StatementBody = z.infer<typeof statementBody>

/** The file: the statement, the way from its hash to the root of the month, and the signature of all that. */
export const signedStatement = z.strictObject({
  proof: z.array(sha256),
  root: sha256,
  signature: z.strictObject({ alg: z.literal('Ed25519'), key: z.string(), value: z.string() }),
  statement: statementBody,
})
export type SignedStatement = z.infer<typeof signedStatement>
