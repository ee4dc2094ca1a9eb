import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { giftOfReissue } from '#features/finance/gifts.ts'
import { refundTypes, isSpending } from '#features/finance/rules.ts'
import { must } from '#foundation/must.ts'
import { linkInvoice } from './record-events.ts'
import { lockBalance, spendingOf, spentBy, accountId } from './ledger-queries.ts'
import { post } from './ledger.ts'
import { insertSplits, type SplitDocument } from './vat-split-queries.ts'

/** A document of the sale, by its public id, and the VAT that it states, negative on a credit note (minor units). */
type StatedVat = { public_id: string; country: string; vat: bigint }

/**
 * Books the differences between a reissued invoice and the invoice before: VAT moves between revenue and the accounts of the
 * countries, in one transaction a document, and the customer gets back `refund` and reads `reason`. The refund moves no VAT, since
 * the documents have moved it. No other feature reacts, since only the documents change. The caller holds the lock of the
 * invoice's credits (rule 9). Returns the id of the refund's transaction; undefined if nothing is refunded.
 */
export async function bookReissue(
  app: App,
  tx: Tx,
  reissue: {
    user_id: string
    transaction_id: string
    /** The amount, in minor units, that the customer gets back of the spending; 0n for none. */
    refund: bigint
    reason: string
    credit_note: StatedVat
    invoice: StatedVat
  },
): Promise<string | undefined> {
  const { user_id, transaction_id, refund, reason, credit_note, invoice } = reissue
  const { currency } = app.config
  await lockBalance(tx, { user_id, currency })
  const spent = must(await spentBy(tx, user_id, transaction_id))
  const { type, host_id } = spent
  if (!isSpending(type)) throw new Error('what was never spent has no invoice')
  const moved = [credit_note, invoice].filter(({ vat }) => vat !== 0n)
  await splitVat(
    tx,
    moved.map((document) => ({ ...document, transaction_id, user_id, currency })),
  )
  if (refund === 0n) return undefined
  const description = { code: 'refund', params: { reason } } as const
  const gift = giftOfReissue(spendingOf(spent), refund)
  const booking = { type: refundTypes[type], user_id, amount: refund, gift, description, host_id }
  const { transaction_id: back } = await post(app, tx, { ...booking, reverses: transaction_id })
  await linkInvoice(tx, { user_id, transaction_id: back, invoice_id: credit_note.public_id })
  return back
}

/** Moves the VAT of these documents from revenue to the accounts of their countries. A document moves its VAT once. */
async function splitVat(tx: Tx, documents: readonly SplitDocument[]): Promise<void> {
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
