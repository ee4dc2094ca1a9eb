import type { RefundCause, SpendingPart } from '#features/finance/rules.ts'
import { locks } from '#features/finance/server/finance.ts'
import type { App } from '#foundation/server/app.ts'
import { holdsLock, recordLocked } from '#foundation/server/database/lock-order.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { dayIn } from '#features/invoices/rules.ts'
import type { LineDescription, Note } from '#features/invoices/shapes.ts'
import { partOf, type Amounts } from './amounts.ts'
import { notesOf, prepareDocument, type PreparedInvoice } from './issue.ts'
import * as queries from './queries.ts'
import { stateVatNotes } from './state-currency.ts'

/**
 * Credits `amount` (gross, in minor units; by default all that is left) of the invoice that a transaction paid, by a credit note to the
 * same buyer; undefined if that transaction paid no invoice. `reason` is printed. Throws if more is credited than was paid. The credit note
 * gets its number at the end of the transaction, as an invoice does.
 */
export async function creditNote(
  app: App,
  tx: Tx,
  refund: {
    user_id: string
    transaction_id: string
    refund_transaction_id: string
    amount?: bigint
    /** The refunded part of an invoice for several servers. */
    part?: SpendingPart | undefined
    reason?: string
    cause?: RefundCause
  },
): Promise<PreparedInvoice | undefined> {
  const original = await lockCredits(tx, refund)
  if (!original) return undefined
  const { part } = refund
  const amounts = await creditOf(tx, original, refund.amount, part)
  return prepareCredit(app, tx, original, {
    transaction_id: refund.refund_transaction_id,
    version: 1,
    mail: true,
    amounts,
    partLine: part
      ? { code: 'refund_of_host', params: { host: part.host, number: original.number } }
      : { code: 'partial_refund', params: { number: original.number } },
    notes: creditNotes(
      original,
      app.config.timeZone,
      refund.cause === 'upgrade' ? 'upgraded' : 'given_back',
      refund.reason,
    ),
  })
}

/** Cancels `left`, the unrefunded part of an invoice, because a new invoice replaces it. The new invoice's mail announces both. */
export const cancelForReissue = (
  app: App,
  tx: Tx,
  original: queries.InvoiceRow,
  { left, reason }: { left: Amounts; reason: string },
): Promise<PreparedInvoice> =>
  prepareCredit(app, tx, original, {
    transaction_id: original.transaction_id,
    version: original.version + 1,
    mail: false,
    amounts: left,
    partLine: { code: 'rest_of_invoice', params: { number: original.number } },
    notes: creditNotes(original, app.config.timeZone, 'reissued', reason),
  })

async function prepareCredit(
  app: App,
  tx: Tx,
  original: queries.InvoiceRow,
  credit: Pick<queries.NewInvoice, 'transaction_id' | 'version' | 'notes'> & {
    amounts: Amounts
    /** The text of the line if the credit note does not cover the whole invoice. */
    partLine: LineDescription
    mail: boolean
  },
): Promise<PreparedInvoice> {
  const { user_id, number } = original
  const { amounts, partLine: description, mail, ...document } = credit
  const user = await findUser(tx, user_id)
  if (!user) throw new Error('there is nobody to write a credit note to')
  const whole = amounts.total === original.total
  // A correction of VAT has the rate of the invoice; an invoice from before that rule states its VAT once, and so do its corrections.
  const isStated = original.notes.some(({ code }) => code === 'state_vat')
  const stated = isStated
    ? await stateVatNotes(app, tx, { vat: amounts.vat, at: original.issued_at, original: original.notes })
    : []
  const invoice = {
    ...document,
    notes: [...document.notes, ...stated],
    user_id,
    kind: 'credit_note' as const,
    credit_note_of: original.id,
    host_id: original.host_id,
    issued_at: null,
    ...amounts,
    vat_kind: original.vat_kind,
    vat_country: original.vat_country,
    vat_rate_bp: original.vat_rate_bp,
    below_threshold: original.below_threshold,
    buyer: original.buyer,
    buyer_reference: original.buyer_reference,
    order_reference: original.order_reference,
    evidence: { invoice: number },
    lines: whole ? await queries.linesOf(tx, original.id) : [partLine(description, amounts.net)],
  }
  return prepareDocument(app, tx, user, invoice, { mail })
}

type Paid = { user_id: string; transaction_id: string }

/**
 * Returns the newest invoice of a transaction, if any, locked until the database transaction ends: two refunds or reissues must not see
 * the same remainder. The lock is named after the first invoice, because a reissue does not change which invoice is the first.
 */
export async function lockCredits(
  tx: Tx,
  { user_id, transaction_id }: Paid,
): Promise<queries.InvoiceRow | undefined> {
  const first = await queries.firstInvoiceOf(tx, user_id, transaction_id)
  if (first === undefined) return undefined
  const paid = `${user_id} ${transaction_id}`
  if (!holdsLock(tx, locks.credits, paid)) await lockByName(tx, `credit:${first}`)
  recordLocked(tx, locks.credits, [paid])
  return queries.invoicePaidBy(tx, user_id, transaction_id)
}

/** Returns the VAT in a refund of `amount` (gross, minor units), as its credit note will state it; undefined if no invoice was paid. */
export async function vatShareOf(
  tx: Tx,
  { amount, part, ...paid }: Paid & { amount: bigint; part?: SpendingPart | undefined },
): Promise<{ country: string; amount: bigint } | undefined> {
  const original = await lockCredits(tx, paid)
  if (!original) return undefined
  return { country: original.vat_country, amount: (await creditOf(tx, original, amount, part)).vat }
}

async function creditOf(
  tx: Tx,
  original: queries.InvoiceRow,
  amount?: bigint,
  part?: SpendingPart,
): Promise<Amounts> {
  const left = part?.left ?? (await leftOf(tx, original))
  return partOf(left, amount ?? left.total, original.vat_rate_bp)
}

/** The part of an invoice that no credit note has taken yet. */
export async function leftOf(
  db: App['db'],
  { id, net, vat, total }: Pick<queries.InvoiceRow, 'id' | keyof Amounts>,
): Promise<Amounts> {
  const given = await queries.creditNotesOf(db, id)
  return given.reduce(
    (left, note) => ({ net: left.net - note.net, vat: left.vat - note.vat, total: left.total - note.total }),
    { net, vat, total },
  )
}

const partLine = (description: LineDescription, net: bigint): queries.Line => ({
  description,
  quantity: 1n,
  cost: net,
  price: net,
  starts_at: null,
  ends_at: null,
})

const creditNotes = (
  original: queries.InvoiceRow,
  timeZone: string,
  happened: 'given_back' | 'upgraded' | 'reissued',
  reason: string | undefined,
): Note[] => [
  {
    code: 'credit_note_of',
    params: { number: original.number, date: dayIn(original.issued_at, timeZone) },
  },
  ...notesOf({ kind: original.vat_kind }, original.seller),
  { code: happened, params: {} },
  ...(reason ? [{ code: 'text', params: { text: reason } } as const] : []),
]
