import type { z } from 'zod/mini'
import { bookReissue, findTransaction } from '#features/finance/server/finance.ts'
import { billingDetails } from '#features/profile/server/profile.ts'
import * as contract from '#features/invoices/contract.ts'
import { dayIn, missingInAddress, needsAddress } from '#features/invoices/rules.ts'
import type { Buyer, Note, ReissuedBuyer } from '#features/invoices/shapes.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { ParsedOf } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import type { OwnedThing } from '#foundation/server/acting.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { findUser, keepUser } from '#foundation/server/session/session.ts'
import { billingOf } from './billing-queries.ts'
import { isWhole, priceOf } from './amounts.ts'
import { cancelForReissue, lockCredits } from './credit.ts'
import { buyerOf, notesOf, prepareDocument } from './issue.ts'
import { namelessUpTo } from './nameless.ts'
import * as queries from './queries.ts'
import { stateVatNotes } from './state-currency.ts'
import { summaryReply } from './read.ts'
import { differenceOf, linesOver, planReissue, refusalOf, sumsReply, type Plan } from './reissue-plan.ts'
import { ownerOfInvoice } from './staff-list-queries.ts'

type Wanted = Pick<
  ParsedOf<typeof contract.reissueInvoice>['body'],
  'buyer' | 'vat' | 'reason' | 'expected_total'
>

/** Answers `GET /api/staff/invoices/{publicId}/reissue/`. */
export const preview = handler(contract.previewReissue, async ({ app, params, query }) => {
  return { status: 200, body: await previewOf(app, await invoiceNamed(app.db, params.publicId), query) }
})

type Wish = ParsedOf<typeof contract.previewReissue>['query']
type Preview = z.infer<(typeof contract.previewReissue.replies)[200]>

/** Returns the sums before and after a reissue of an invoice, the amount to give back, and the reason if it would be refused. */
export async function previewOf(app: App, original: queries.InvoiceRow, query: Wish): Promise<Preview> {
  const { user_id, currency } = original
  const details = await billingDetails(app.db, user_id)
  const user = await findUser(app.db, user_id)
  const profile = user?.is_active && details ? buyerOf(details, user.email) : null
  const { country = profile?.country ?? '', vat_id = profile?.vat_id ?? '' } = query
  // The postcode and the city of the profile are those of its country only.
  const known = profile?.country === country ? profile : undefined
  const { zip = known?.zip ?? '', city = known?.city ?? '' } = query
  const buyer = { country, zip, city, vat_id }
  const plan = await planReissue(app, app.db, original, { buyer, vat: query.vat })
  const { left, before, after } = plan
  const refusal = profile ? (refusalOf(app, original, plan) ?? null) : 'deactivated'
  return {
    profile,
    before: sumsReply(left, before, currency),
    after: refusal === 'nothing_left' || refusal === 'deactivated' ? null : sumsReply(after, after, currency),
    difference: toMoney(refusal === null ? differenceOf(plan) : 0n, currency),
    refusal,
  }
}

/** Answers `POST /api/staff/invoices/{publicId}/reissue/`. */
export const reissue = handler(contract.reissueInvoice, (call) => {
  const { app, actor, params, body } = call
  const work = async (tx: Tx) => {
    const { user_id, transaction_id } = await invoiceNamed(tx, params.publicId)
    const by = { by: actor.user_id, ...originOf(call.caller) }
    const sale = { user_id, transaction_id, public_id: params.publicId }
    return { status: 201, body: await reissueInvoice(app, tx, sale, body, by) } as const
  }
  return withIdempotencyKey(contract.reissueInvoice, call, work, 'system')
})

/** No member of staff acts on an invoice of their own. */
export const ownedInvoice: OwnedThing = { parameter: 'publicId', ownerOf: ownerOfInvoice }

/** Returns the invoice with this public id. Throws 404, also for a credit note. */
async function invoiceNamed(db: App['db'], public_id: string): Promise<queries.InvoiceRow> {
  const user_id = await ownerOfInvoice(db, public_id)
  const row = user_id === undefined ? undefined : await queries.invoiceOf(db, user_id, public_id)
  if (row?.kind !== 'invoice') throw notFound()
  return row
}

type Sale = { user_id: string; transaction_id: string; public_id: string }
type By = { by: string; ip?: string; user_agent?: string; request_id?: string }

/**
 * Cancels the rest of an invoice and issues it anew, for the same spending (decision 083). Throws 409 `nothing_left` if the invoice was
 * refunded or replaced, `total_would_rise`, `total_changed`, `deactivated`. Rule 9: it locks the invoice's credits, then the balance, then
 * the counter. The customer is only kept from being deleted: a lock would block a refund that holds the credits and refers to the customer.
 */
export async function reissueInvoice(
  app: App,
  tx: Tx,
  sale: Sale,
  { buyer: wanted, vat, reason, expected_total }: Wanted,
  { by, ...origin }: By,
) {
  const { user_id, transaction_id, public_id } = sale
  const user = await keepUser(tx, user_id)
  if (!user?.is_active) throw new HttpError(409, [{ code: 'deactivated' }])
  const original = must(await lockCredits(tx, sale))
  if (original.public_id !== public_id) throw new HttpError(409, [{ code: 'nothing_left' }])
  const buyer = await namedBuyer(tx, original, user.email, wanted)
  const plan = await planReissue(app, tx, original, { buyer, vat })
  const refusal = refusalOf(app, original, plan)
  if (refusal) throw new HttpError(409, [{ code: refusal }])
  const { left, after, decided } = plan
  if (expected_total && amountOf(expected_total) !== after.money.total)
    throw new HttpError(409, [{ code: 'total_changed' }])
  assertNamed(app, buyer, plan, wanted === 'profile')
  const credit_note = await cancelForReissue(app, tx, original, { left, reason })
  const invoice = await prepareDocument(app, tx, user, {
    ...(await successorOf(app, tx, original, plan)),
    buyer,
    ...(await referencesOf(tx, original, wanted === 'profile')),
  })
  const refund = differenceOf(plan)
  const back = await bookReissue(app, tx, {
    user_id,
    transaction_id,
    refund,
    reason,
    credit_note: { ...credit_note, country: original.vat_country, vat: decided ? -left.money.vat : 0n },
    invoice: { ...invoice, country: after.country, vat: decided ? after.money.vat : 0n },
  })
  const [cancelled, issued] = [await credit_note.issue(), await invoice.issue()]
  const numbers = { invoice: original.number, credit_note: cancelled.number, reissued: issued.number }
  const detail = { by, ...numbers, reason, refund: refund.toString() }
  await recordAction(tx, { user_id, act: 'invoice.reissued', ...origin, detail })
  const found = back === undefined ? undefined : await findTransaction(tx, user_id, back)
  return {
    credit_note: summaryReply(
      { ...cancelled, status: 'paid', cancels: isWhole(left, original) },
      app.config.timeZone,
    ),
    invoice: summaryReply({ ...issued, status: 'paid', cancels: false }, app.config.timeZone),
    ...(found && { transaction: found }),
  }
}

/** Returns the buyer as the profile has it now, or as it was typed, with the invoice's address for mails. */
async function namedBuyer(
  tx: Tx,
  original: queries.InvoiceRow,
  email: string,
  wanted: 'profile' | ReissuedBuyer,
): Promise<Buyer> {
  if (wanted !== 'profile') return { ...wanted, email: original.buyer.email }
  return buyerOf(must(await billingDetails(tx, original.user_id)), email)
}

/** Throws if the buyer lacks details that the law requires on the invoice: 409 for a buyer of the profile, 400 for a typed buyer. */
function assertNamed(app: App, buyer: Buyer, { after }: Plan, isProfile: boolean): void {
  if (after.kind === 'reverse_charge' && buyer.vat_id === '') throw badRequest('required', 'buyer.vat_id')
  if (!needsAddress(buyer, after.money.total, namelessUpTo(app.config.company, app.config.currency))) return
  const [missing] = missingInAddress({ ...buyer, surname: '', address: buyer.street })
  if (missing === undefined) return
  if (isProfile) throw new HttpError(409, [{ code: 'buyer_incomplete' }])
  throw badRequest('required', `buyer.${missing === 'address' ? 'street' : missing}`)
}

async function successorOf(app: App, tx: Tx, original: queries.InvoiceRow, plan: Plan) {
  const { after, decided } = plan
  const { user_id, transaction_id, host_id, number, issued_at } = original
  const day = dayIn(issued_at, app.config.timeZone)
  const notes: Note[] = [
    ...notesOf(after, app.config.company),
    ...(await stateVatNotes(app, tx, { vat: after.money.vat, at: issued_at, original: original.notes })),
    { code: 'paid', params: {} },
    { code: 'replaces', params: { number, date: day } },
    ...(differenceOf(plan) > 0n ? [{ code: 'difference_given_back', params: {} } as const] : []),
    ...original.notes.filter(({ code }) => code === 'text'),
  ]
  return {
    user_id,
    transaction_id,
    host_id,
    kind: 'invoice' as const,
    credit_note_of: null,
    version: original.version + 1,
    issued_at: null,
    ...after.money,
    gift: after.gift.total,
    allowance: after.gift.net,
    vat_kind: after.kind,
    vat_country: after.country,
    vat_rate_bp: after.rate_bp,
    below_threshold: decided ? (decided.below_threshold ?? false) : original.below_threshold,
    notes,
    evidence: { ...(decided?.evidence ?? { place: original.evidence.place }), replaces: number },
    lines: linesOver(await queries.linesOf(tx, original.id), priceOf(after).net),
  }
}

/**
 * Returns the references for the new invoice: the original's. If the buyer comes from the profile, the buyer reference that is set now
 * takes precedence, and the order reference that is set now fills in for a missing one.
 */
async function referencesOf(tx: Tx, original: queries.InvoiceRow, isProfile: boolean) {
  const { buyer_reference, order_reference } = original
  if (!isProfile) return { buyer_reference, order_reference }
  const billing = await billingOf(tx, original.user_id)
  return {
    buyer_reference: billing.buyer_reference || buyer_reference,
    order_reference: order_reference || billing.order_reference,
  }
}
