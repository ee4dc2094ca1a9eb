import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { percentOf, type ReissueVat } from '#features/invoices/rules.ts'
import { loweredBy, priceOf, totalsOf, type Amounts, type Paid } from './amounts.ts'
import { leftOf } from './credit.ts'
import type { InvoiceRow, Line } from './queries.ts'
import type { Place } from './territories.ts'
import { vatOfSale } from './vat-of-customer.ts'
import { vatOver, type VatDecision } from './vat-decision.ts'

type Vat = Pick<VatDecision, 'kind' | 'country' | 'rate_bp'>

/** The amounts and the VAT of a reissue, in minor units. */
export type Plan = {
  /** The amounts that no credit note has taken yet. */
  left: Paid
  before: Vat
  after: Paid & Vat
  /** The new decision about the VAT; undefined if the VAT stays as it was. */
  decided: VatDecision | undefined
}

type Buyer = Required<Place> & { vat_id: string }

/** Plans the reissue of an invoice. The net price and the gift stay, so that another rate changes what is paid as money. */
export async function planReissue(
  app: App,
  db: App['db'],
  original: InvoiceRow,
  { buyer, vat }: { buyer: Buyer; vat: ReissueVat },
): Promise<Plan> {
  const left = await leftOf(db, original)
  const before = { kind: original.vat_kind, country: original.vat_country, rate_bp: original.vat_rate_bp }
  const { user_id, issued_at: sold_at, evidence } = original
  const sale = { user_id, ...buyer, sold_at, evidence }
  const decision = vat === 'decide' ? vatOver(await vatOfSale(app, db, sale), left.money.net) : undefined
  // An unchanged VAT is not computed again: the VAT of a partly refunded invoice may have been rounded differently.
  const decided = decision && isSame(decision, before) ? undefined : decision
  if (!decided) return { left, before, after: { ...left, ...before }, decided }
  const { kind, country, rate_bp } = decided
  const price = totalsOf([priceOf(left).net], rate_bp)
  const gift = left.gift.total < price.total ? left.gift.total : price.total
  return { left, before, after: { ...loweredBy(price, gift, rate_bp), kind, country, rate_bp }, decided }
}

/** Returns what the customer gets back, in minor units: the old price less the new one. */
export const differenceOf = ({ left, after }: Plan): bigint => priceOf(left).total - priceOf(after).total

const isSame = (one: Vat, other: Vat): boolean =>
  one.kind === other.kind && one.country === other.country && one.rate_bp === other.rate_bp

/**
 * Returns the reason why an invoice is not issued anew; undefined if it may be. A higher total is refused: the customer would have
 * to pay the difference, and has not agreed to it.
 */
export function refusalOf(
  app: Pick<App, 'config'>,
  { currency }: Pick<InvoiceRow, 'currency'>,
  { left, after }: Plan,
): 'nothing_left' | 'total_would_rise' | undefined {
  if (priceOf(left).total === 0n || currency !== app.config.currency) return 'nothing_left'
  return after.money.total > left.money.total ? 'total_would_rise' : undefined
}

export const sumsReply = (
  { money: { net, vat, total } }: { money: Amounts },
  { kind: vat_kind, country, rate_bp }: Vat,
  currency: string,
) => ({
  vat_kind,
  country,
  vat_rate: percentOf(rate_bp),
  net: toMoney(net, currency),
  vat: toMoney(vat, currency),
  total: toMoney(total, currency),
})

/** Returns the lines of an invoice with prices that add up to `net`: unchanged, or each reduced to its share after refunds. */
export function linesOver(lines: readonly Line[], net: bigint): readonly Line[] {
  const whole = lines.reduce((sum, { price }) => sum + price, 0n)
  if (whole === net) return lines
  let taken = 0n
  let before = 0n
  return lines.map((line) => {
    before += line.price
    // Each price is the difference of two rounded running sums, so that the prices add up to `net` to the cent.
    const upTo = whole === 0n ? 0n : (before * net) / whole
    const price = upTo - taken
    taken = upTo
    return { ...line, quantity: 1n, cost: price, allowance: 0n, reduction: null, price }
  })
}
