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

/** The newest invoice of a sale, with the rest that no credit note has taken yet, and the price of that rest with its gifts. */
type Credited = { original: queries.InvoiceRow; left: Paid; price: Amounts }
/** `paid` is what a credit note takes of an invoice, `net` the net by which the refund lowers what was sold. */
type Credit = { paid: Paid; net: bigint; country: string }

/** Returns the invoice that a refund credits, locked as by `lockCredits`; undefined if the transaction paid no invoice. */
export async function lockCredited(tx: Tx, sale: Sale): Promise<Credited | undefined> {
  const original = await lockCredits(tx, sale)
  if (!original) return undefined
  const left = await leftOf(tx, original)
  return { original, left, price: priceOf(left) }
}

/**
 * Returns the credit of a refund of `amount` (gross, in minor units; by default all that is left), of which `gift` had lowered the invoice.
 * `part` is the refunded part of an invoice for several servers. Throws if more is credited than was paid.
 */
export function creditOf(
  { original, left }: Credited,
  { amount: wanted, gift = 0n, part }: { amount?: bigint; gift?: bigint; part?: SpendingPart | undefined },
): Credit {
  const amount = wanted ?? (part?.left ?? priceOf(left)).total
  const paid = refundOf(
    left,
    { amount, gift: wanted === undefined ? left.gift.total : gift, of: part?.left },
    original.vat_rate_bp,
  )
  return { paid, net: priceOf(paid).net, country: original.vat_country }
}

/**
 * Writes the credit note to the buyer of the invoice. `reason` is printed. The credit note gets its number at the end of the transaction,
 * as an invoice does.
 */
export const creditNote = (
  app: App,
  tx: Tx,
  { original }: Credited,
  { paid }: Credit,
  refund: {
    transaction_id: string
    part?: SpendingPart | undefined
    reason?: string
    cause?: RefundCause
  },
): Promise<PreparedInvoice> =>
  prepareCredit(app, tx, original, {
    transaction_id: refund.transaction_id,
    version: 1,
    mail: true,
    paid,
    partLine: refund.part
      ? { code: 'refund_of_host', params: { host: refund.part.host, number: original.number } }
      : { code: 'partial_refund', params: { number: original.number } },
    notes: creditNotes(
      original,
      app.config.timeZone,
      refund.cause === 'upgrade' ? 'upgraded' : 'given_back',
      refund.reason,
    ),
  })

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
  return prepareDocument(app, tx, user, invoice, { mail, credited: { ...original, cancels: whole } })
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
  allowance: 0n,
  reduction: null,
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
