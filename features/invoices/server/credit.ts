import type { RefundCause, SpendingPart } from '#features/finance/rules.ts'
import { locks } from '#features/finance/server/finance.ts'
import type { App } from '#foundation/server/app.ts'
import { holdsLock, recordLocked } from '#foundation/server/database/lock-order.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { dayIn } from '#features/invoices/rules.ts'
import type { LineDescription, Note } from '#features/invoices/shapes.ts'
import { isWhole, less, priceOf, refundOf, type Amounts, type Paid } from './amounts.ts'
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
    /** The part of the amount that had lowered the invoice as a gift. */
    gift?: bigint
    /** The refunded part of an invoice for several servers. */
    part?: SpendingPart | undefined
    reason?: string
    cause?: RefundCause
  },
): Promise<PreparedInvoice | undefined> {
  const original = await lockCredits(tx, refund)
  if (!original) return undefined
  const { part } = refund
  const { paid } = await creditOf(tx, original, refund)
  return prepareCredit(app, tx, original, {
    transaction_id: refund.refund_transaction_id,
    version: 1,
    mail: true,
    paid,
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
  { left, reason }: { left: Paid; reason: string },
): Promise<PreparedInvoice> =>
  prepareCredit(app, tx, original, {
    transaction_id: original.transaction_id,
    version: original.version + 1,
    mail: false,
    paid: left,
    partLine: { code: 'rest_of_invoice', params: { number: original.number } },
    notes: creditNotes(original, app.config.timeZone, 'reissued', reason),
  })

async function prepareCredit(
  app: App,
  tx: Tx,
  original: queries.InvoiceRow,
  credit: Pick<queries.NewInvoice, 'transaction_id' | 'version' | 'notes'> & {
    paid: Paid
    /** The text of the line if the credit note does not cover the whole invoice. */
    partLine: LineDescription
    mail: boolean
  },
): Promise<PreparedInvoice> {
  const { user_id, number } = original
  const { paid, partLine: description, mail, ...document } = credit
  const user = await findUser(tx, user_id)
  if (!user) throw new Error('there is nobody to write a credit note to')
  const { money, gift } = paid
  const whole = isWhole(paid, original)
  // A correction of VAT has the rate of the invoice; an invoice from before that rule states its VAT once, and so do its corrections.
  const isStated = original.notes.some(({ code }) => code === 'state_vat')
  const stated = isStated
    ? await stateVatNotes(app, tx, { vat: money.vat, at: original.issued_at, original: original.notes })
    : []
  const invoice = {
    ...document,
    notes: [...document.notes, ...stated],
    user_id,
    kind: 'credit_note' as const,
    credit_note_of: original.id,
    host_id: original.host_id,
    issued_at: null,
    ...money,
    gift: gift.total,
    allowance: gift.net,
    vat_kind: original.vat_kind,
    vat_country: original.vat_country,
    vat_rate_bp: original.vat_rate_bp,
    below_threshold: original.below_threshold,
    buyer: original.buyer,
    buyer_reference: original.buyer_reference,
    order_reference: original.order_reference,
    evidence: { invoice: number },
    lines: whole ? await queries.linesOf(tx, original.id) : [partLine(description, priceOf(paid).net)],
  }
  return prepareDocument(app, tx, user, invoice, { mail })
}

type Sale = { user_id: string; transaction_id: string }

/**
 * Returns the newest invoice of a transaction, if any, locked until the database transaction ends: two refunds or reissues must not see
 * the same remainder. The lock is named after the first invoice, because a reissue does not change which invoice is the first.
 */
export async function lockCredits(
  tx: Tx,
  { user_id, transaction_id }: Sale,
): Promise<queries.InvoiceRow | undefined> {
  const first = await queries.firstInvoiceOf(tx, user_id, transaction_id)
  if (first === undefined) return undefined
  const paid = `${user_id} ${transaction_id}`
  if (!holdsLock(tx, locks.credits, paid)) await lockByName(tx, `credit:${first}`)
  recordLocked(tx, locks.credits, [paid])
  return queries.invoicePaidBy(tx, user_id, transaction_id)
}

/**
 * Returns the VAT in a refund of `amount` (gross, minor units), as its credit note will state it, and the net of the amount; undefined if no
 * invoice was paid.
 */
export async function vatShareOf(
  tx: Tx,
  { user_id, transaction_id, ...refund }: Sale & Refund,
): Promise<{ country: string; amount: bigint; net: bigint } | undefined> {
  const original = await lockCredits(tx, { user_id, transaction_id })
  if (!original) return undefined
  const { paid, net } = await creditOf(tx, original, refund)
  return { country: original.vat_country, amount: paid.money.vat, net }
}

type Refund = { amount?: bigint; gift?: bigint; part?: SpendingPart | undefined }

/** Returns the amounts of a credit note, and the net by which the refund lowers what was sold. */
async function creditOf(
  tx: Tx,
  original: queries.InvoiceRow,
  { amount: wanted, gift = 0n, part }: Refund,
): Promise<{ paid: Paid; net: bigint }> {
  const rate_bp = original.vat_rate_bp
  const left = await leftOf(tx, original)
  const amount = wanted ?? (part?.left ?? priceOf(left)).total
  const paid = refundOf(
    left,
    { amount, gift: wanted === undefined ? left.gift.total : gift, of: part?.left },
    rate_bp,
  )
  return { paid, net: priceOf(paid).net }
}

/** The part of an invoice that no credit note has taken yet: of the money, and of the gift that has lowered it. */
export async function leftOf(
  db: App['db'],
  { id, ...whole }: Pick<queries.InvoiceRow, 'id' | keyof Amounts | 'gift' | 'allowance'>,
): Promise<Paid> {
  const given = await queries.creditNotesOf(db, id)
  return given
    .map(paidBy)
    .reduce(
      (left, note) => ({ money: less(left.money, note.money), gift: less(left.gift, note.gift) }),
      paidBy(whole),
    )
}

const paidBy = ({
  net,
  vat,
  total,
  gift,
  allowance,
}: Amounts & { gift: bigint; allowance: bigint }): Paid => ({
  money: { net, vat, total },
  gift: { net: allowance, vat: gift - allowance, total: gift },
})

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
