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
  const original = await lockCredits(tx, refund)
  if (!original) return undefined
  const amounts = await creditOf(tx, original, refund.amount)
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

type Paid = { user_id: string; transaction_id: string }

/** The invoice that a transaction paid, if any. Nobody else credits it until the transaction ends: two refunds must not see the same remainder. */
export async function lockCredits(tx: Tx, { user_id, transaction_id }: Paid) {
  const original = await queries.invoicePaidBy(tx, user_id, transaction_id)
  if (original) await lockByName(tx, `credit:${original.public_id}`)
  return original
}

/** The VAT in a refund of `amount` (gross, minor units), as its credit note will state it; undefined if no invoice was paid. */
export async function vatShareOf(
  tx: Tx,
  { amount, ...paid }: Paid & { amount: bigint },
): Promise<{ country: string; amount: bigint } | undefined> {
  const original = await lockCredits(tx, paid)
  if (!original) return undefined
  return { country: original.vat_country, amount: (await creditOf(tx, original, amount)).vat }
}

async function creditOf(tx: Tx, original: queries.InvoiceRow, amount?: bigint): Promise<Amounts> {
  const left = leftOf(original, await queries.creditNotesOf(tx, original.id))
  return partOf(left, amount ?? left.total, original.vat_rate_bp)
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
