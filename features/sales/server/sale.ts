import { randomUUID } from 'node:crypto'
import { charge, giftPart, linkInvoice } from '#features/finance/server/finance.ts'
import { recordHost } from '#features/hosts/server/hosts.ts'
import {
  loweredBy,
  prepareInvoice,
  sharesOf,
  totalsOf,
  type Amounts,
  type PreparedInvoice,
  type VatDecision,
} from '#features/invoices/server/invoices.ts'
import { acceptBeginNow } from '#features/legal/server/legal.ts'
import type { PayerRow } from '#features/payers/server/payers.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { asKept, insertOrder } from '#features/licences/server/licences.ts'
import { licenceOrdered, licenceRenewed, licenceUpgraded } from '#features/sales/event-contract.ts'
import type { Passed } from './gate.ts'
import { moveEnd } from './licence-end.ts'
import { descriptionOf, linesOf, type SoldLicence } from './sale-lines.ts'

export type { SoldLicence } from './sale-lines.ts'

/** Licences for servers of one owner, each server once, that one account pays in one charge. */
export type Sale = {
  licences: readonly SoldLicence[]
  vat: VatDecision
  /** The payment that has passed the gate. */
  payment: Passed
  now: Date
  order_reference: string | undefined
  /** The address of the instruction on withdrawal, if a consumer has asked for the service to begin at once. */
  instruction: string | undefined
}

/** `payer` is set if another account has paid; the documents belong to that account. */
export type Sold = { transaction_id: string; invoice: PreparedInvoice; payer: PayerRow | undefined }

/** The price of licences together: the VAT of the sum, as their invoice states it, and the share of each licence. */
export function amountsOf(
  licences: readonly Pick<SoldLicence, 'net'>[],
  { rate_bp }: Pick<VatDecision, 'rate_bp'>,
): { sum: Amounts; each: Amounts[] } {
  const nets = licences.map(({ net }) => net)
  const sum = totalsOf(nets, rate_bp)
  return { sum, each: sharesOf(nets, sum.vat) }
}

/**
 * Writes one charge, one invoice with a line for each server and each of its extras, an order for each server (decision 108), and the end of its paid time, but for
 * an upgrade, which keeps it. A sale that a promo code has lowered to nothing has neither charge nor invoice, as a trial has none: undefined.
 * Nothing may be refused in here: in a batch, everything written before would stay.
 */
export async function writeSale(app: App, tx: Tx, sale: Sale): Promise<Sold | undefined> {
  const { licences, vat, payment, now } = sale
  const { sum, each } = amountsOf(licences, vat)
  payment.take(sum.total)
  const sold = sum.total === 0n ? undefined : await pay(app, tx, sale, sum)
  await writeOrders(app, tx, sale, each, sold)
  if (must(licences[0]).kind !== 'upgrade')
    await atOnce(licences.map((licence) => moveEnd(app, tx, licence, now)))
  for (const licence of licences) recordHost(tx, eventOf[licence.kind], licence.host)
  return sold
}

/** Writes the charge and the invoice of a sale. */
async function pay(app: App, tx: Tx, sale: Sale, sum: Amounts): Promise<Sold> {
  const { licences, vat, payment, order_reference } = sale
  const { payer, buyer_id } = payment
  const { host: first, kind } = must(licences[0])
  const host_id = licences.length === 1 ? first.public_id : null
  const gift = await giftPart(app, tx, { user_id: buyer_id, amount: sum.total })
  const { transaction_id } = await charge(app, tx, {
    user_id: buyer_id,
    amount: sum.total,
    gift,
    type: payer || kind === 'auto_renewal' ? 'inner_spending' : 'spend',
    vat: { country: vat.country, amount: loweredBy(sum, gift, vat.rate_bp).money.vat },
    description: descriptionOf(licences),
    host_id,
    isCovered: true,
  })
  const invoice = await prepareInvoice(app, tx, {
    user_id: buyer_id,
    transaction_id,
    host_id,
    vat,
    gift,
    order_reference,
    lines: licences.flatMap(linesOf),
  })
  if (invoice.total + gift !== sum.total)
    throw new Error('the invoice asks for another amount than was charged')
  return { transaction_id, invoice, payer }
}

/** Writes an order for each licence, linked with the documents of the sale; an order that costs nothing has none, and no payer. */
async function writeOrders(
  app: App,
  tx: Tx,
  { licences, vat, payment: { payer, buyer_id }, now, instruction }: Sale,
  each: readonly Amounts[],
  sold: Sold | undefined,
): Promise<void> {
  const { user_id } = must(licences[0]).host
  const documents = {
    transaction_id: sold?.transaction_id ?? null,
    invoice_id: sold?.invoice.public_id ?? null,
  }
  const paid_by = sold && payer ? { payer_id: payer.payer_id, agreement_id: payer.agreement_id } : noPayer
  const common = { ...documents, ...paid_by, user_id, currency: app.config.currency, ordered_at: now }
  const orders = licences.map(({ host, plan, period, kind, promo, extras }, place) => ({
    ...common,
    ...must(each[place]),
    id: randomUUID(),
    host_id: host.id,
    kind,
    ipv4: host.ipv4,
    ipv6: host.ipv6,
    period,
    plan: plan.slug,
    plan_name: plan.name,
    term: plan.term,
    vat_rate_bp: vat.rate_bp,
    promo: promo ?? null,
    extras: extras?.length ? extras.map(asKept) : null,
  }))
  await atOnce(orders.map((order) => insertOrder(tx, order)))
  if (instruction !== undefined)
    for (const { id: order_id } of orders) await acceptBeginNow(tx, { user_id, order_id, url: instruction })
  if (!sold) return
  const { transaction_id, invoice } = sold
  await linkInvoice(tx, { user_id: buyer_id, transaction_id, invoice_id: invoice.public_id })
}

const noPayer = { payer_id: null, agreement_id: null }

const eventOf = {
  order: licenceOrdered,
  renewal: licenceRenewed,
  auto_renewal: licenceRenewed,
  upgrade: licenceUpgraded,
} as const
