import type { Tx } from '#foundation/server/database/transaction.ts'
import { accountId } from './ledger-queries.ts'
import { insertSplits, type SplitDocument } from './vat-split-queries.ts'

/** Moves the VAT of these documents from revenue to the accounts of their countries. A document moves its VAT once. */
export async function splitVat(tx: Tx, documents: readonly SplitDocument[]): Promise<void> {
  const splits = await Promise.all(
    documents.map(async (document) => {
      const operators = { user_id: null, currency: document.currency }
      const revenue = await accountId(tx, { ...operators, kind: 'revenue', name: '' })
      const account = await accountId(tx, { ...operators, kind: 'vat', name: document.country })
      return { ...document, revenue, account }
    }),
  )
  await insertSplits(tx, splits)
}
