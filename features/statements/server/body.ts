import { giftAfter, transactionsUntil, type TransactionRow } from '#features/finance/server/finance.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { documentsWithHashes, type HashedDocument } from '#features/invoices/server/invoices.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { StatementBody } from '#features/statements/shapes.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { newestOf, type Month } from './queries.ts'

export type Draft = {
  body: StatementBody
  first_seq: bigint
  last_seq: bigint
  /** The documents whose files were not made yet (public ids). */
  unmade: string[]
}

/**
 * Makes the statement of an account: all that was booked since the statement before, or where there is none since the month began, so that
 * what was booked late is in the next one. It is made of rows that never change, and of no clock. Undefined if nothing was booked.
 */
export async function draftOf(app: App, tx: Tx, user_id: string, span: Month): Promise<Draft | undefined> {
  const { currency, timeZone } = app.config
  const before = await newestOf(tx, user_id)
  const rows = await transactionsUntil(app, tx, user_id, { ...span, after: before?.last_seq })
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return undefined
  const transactions = rows.map(({ id }) => id)
  const documents = await documentsWithHashes(tx, user_id, { ...span, transactions })
  const numbers = new Map(documents.map(({ public_id, number }) => [public_id, number]))
  const gift = await giftAfter(tx, { user_id, currency, seq: last.seq })
  const body: StatementBody = {
    type: 'hostdesk-statement',
    version: 1,
    issuer: app.config.publicOrigin,
    seller: app.config.company.name,
    account: user_id,
    holder: (await displayNames(app, tx, [user_id])).of(user_id).name,
    month: span.month,
    time_zone: timeZone,
    since: span.since.toISOString(),
    until: span.until.toISOString(),
    currency,
    opening: (first.balance_after - first.amount).toString(),
    closing: last.balance_after.toString(),
    closing_gift: gift.toString(),
    entries: rows.map((row) => entryOf(row, numbers, timeZone)),
    documents: documents.map(documentEntry),
    previous: before ? { month: before.month, sha256: before.hash } : null,
  }
  const unmade = documents.filter(({ files }) => files.length === 0).map(({ public_id }) => public_id)
  return { body, first_seq: first.seq, last_seq: last.seq, unmade }
}

const entryOf = (
  row: TransactionRow,
  numbers: ReadonlyMap<string, string>,
  timeZone: string,
): StatementBody['entries'][number] => ({
  number: Number(row.seq),
  id: row.id,
  at: row.created_at.toISOString(),
  day: dayIn(row.created_at, timeZone),
  type: row.type,
  description: row.description,
  host: row.host_id,
  amount: row.amount.toString(),
  balance: row.balance_after.toString(),
  document: numbers.get(row.invoice_id ?? '') ?? null,
})

const documentEntry = ({ number, kind, issued_at, total, files }: HashedDocument) => ({
  number,
  kind,
  issued_at: issued_at.toISOString(),
  total: total.toString(),
  files,
})
