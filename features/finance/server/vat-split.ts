import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { accountId } from './ledger-queries.ts'
import { insertSplits, unsplitDocuments, type SplitDocument } from './vat-split-queries.ts'

const BATCH = 5_000

/**
 * Moves the VAT of documents that were booked before VAT had accounts of its own: each by one transaction between the operator's
 * accounts (decision 081). No customer's balance changes. A batch is split whole or not at all, and a document only once, so that a
 * process may be killed at any time and two may run at once. Returns the number of documents that it found.
 */
export async function splitPastVat(app: App, batch = BATCH): Promise<number> {
  let seen = 0
  for (let after = 0n; ;) {
    const documents = await unsplitDocuments(app.db, { after, limit: batch })
    if (documents.length > 0) await transaction(app, 'system', (tx) => splitVat(tx, documents))
    seen += documents.length
    after = documents.at(-1)?.id ?? after
    if (documents.length < batch) return seen
  }
}

/** Moves the VAT of these documents from revenue to the accounts of their countries, once for each. */
export async function splitVat(tx: Tx, documents: readonly SplitDocument[]): Promise<void> {
  const accountOf = remembered(tx)
  const splits: Parameters<typeof insertSplits>[1][number][] = []
  for (const document of documents) {
    const { currency, country } = document
    const revenue = await accountOf({ kind: 'revenue', user_id: null, name: '', currency })
    const account = await accountOf({ kind: 'vat', user_id: null, name: country, currency })
    splits.push({ ...document, revenue, account })
  }
  await insertSplits(tx, splits)
}

/** Returns `accountId` with a memory: a batch has many documents, but few accounts. */
function remembered(tx: Tx): (account: Parameters<typeof accountId>[1]) => Promise<bigint> {
  const known = new Map<string, Promise<bigint>>()
  return (account) => {
    const key = `${account.kind} ${account.name} ${account.currency}`
    const found = known.get(key) ?? accountId(tx, account)
    known.set(key, found)
    return found
  }
}
