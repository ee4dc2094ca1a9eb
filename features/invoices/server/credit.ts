import type { App } from '#foundation/server/app.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { findUser } from '#foundation/server/session/session.ts'
import type { Note } from '#features/invoices/contract.ts'
import { partOf, type Amounts } from './amounts.ts'
import { notesOf, prepareDocument, type PreparedInvoice } from './issue.ts'
import * as queries from './queries.ts'
import { dayIn } from './read.ts'

/**
 * Credits `amount` (gross, in minor units; by default all that is left) of the invoice that a transaction
 * paid, by a credit note to the same buyer; undefined if that transaction paid no invoice. `reason` is
 * printed. Throws if more is credited than was paid. It gets its number at the end of the transaction, as an
 * invoice does.
 */
export async function creditNote(
  app: App,
  tx: Tx,
  refund: {
    user_id: string
    transaction_id: string
    refund_transaction_id: string
    amount?: bigint
    reason?: string
  },
): Promise<PreparedInvoice | undefined> {
  const { user_id } = refund
  const original = await queries.invoicePaidBy(tx, user_id, refund.transaction_id)
  if (!original) return undefined
  // Two refunds of one invoice must not both see the same remainder.
  await lockByName(tx, `credit:${original.public_id}`)
  const before = await queries.creditNotesOf(tx, original.id)
  const left = leftOf(original, before)
  const amounts = partOf(left, refund.amount ?? left.total, original.vat_rate_bp)
  const whole = amounts.total === original.total
  const user = await findUser(tx, user_id)
  if (!user) throw new Error('there is nobody to write a credit note to')
  return prepareDocument(app, tx, user, {
    user_id,
    kind: 'credit_note',
    credit_note_of: original.id,
    transaction_id: refund.refund_transaction_id,
    host_id: original.host_id,
    issued_at: null,
    ...amounts,
    vat_kind: original.vat_kind,
    vat_country: original.vat_country,
    vat_rate_bp: original.vat_rate_bp,
    buyer: original.buyer,
    buyer_reference: original.buyer_reference,
    order_reference: original.order_reference,
    notes: creditNotes(original, app.config.timeZone, refund.reason),
    evidence: { invoice: original.number },
    lines: whole ? await queries.linesOf(tx, original.id) : [partLine(original.number, amounts.net)],
  })
}

function leftOf({ net, vat, total }: Amounts, given: readonly Amounts[]): Amounts {
  return given.reduce(
    (left, note) => ({ net: left.net - note.net, vat: left.vat - note.vat, total: left.total - note.total }),
    { net, vat, total },
  )
}

const partLine = (number: string, net: bigint): queries.Line => ({
  description: { code: 'partial_refund', params: { number } },
  quantity: 1n,
  cost: net,
  price: net,
  starts_at: null,
  ends_at: null,
})

const creditNotes = (original: queries.InvoiceRow, timeZone: string, reason: string | undefined): Note[] => [
  {
    code: 'credit_note_of',
    params: { number: original.number, date: dayIn(original.issued_at, timeZone) },
  },
  ...notesOf({ kind: original.vat_kind }),
  { code: 'given_back', params: {} },
  ...(reason ? [{ code: 'text', params: { text: reason } } as const] : []),
]
