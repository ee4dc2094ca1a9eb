import { vatOf } from '#foundation/money.ts'

/** Amounts in minor units; `total` is always `net + vat`. */
export type Amounts = { net: bigint; vat: bigint; total: bigint }

/** Returns the totals of an invoice over lines with these nets: VAT is taken from their sum, rounded half up once (EN 16931, BR-CO-17). */
export function totalsOf(nets: readonly bigint[], rate_bp: bigint): Amounts {
  const net = nets.reduce((sum, price) => sum + price, 0n)
  const vat = vatOf(net, rate_bp)
  return { net, vat, total: net + vat }
}

/**
 * Returns each line's share of the VAT of an invoice, in proportion to the line's net. A share is the difference of two rounded running
 * sums, so that the shares add up to the VAT exactly; it may differ by one minor unit from the share rounded by itself.
 */
export function sharesOf(nets: readonly bigint[], vat: bigint): Amounts[] {
  const whole = nets.reduce((sum, net) => sum + net, 0n)
  const upTo = (sum: bigint): bigint => (whole === 0n ? 0n : (2n * vat * sum + whole) / (2n * whole))
  let before = 0n
  return nets.map((net) => {
    const share = upTo(before + net) - upTo(before)
    before += net
    return { net, vat: share, total: net + share }
  })
}

/**
 * The net and VAT of a partial refund of `amount` (gross). `left` is the part of the invoice that no credit note has taken yet; a refund of
 * all of it takes exactly `left`, so that in the end net and VAT match to the cent. Not every gross has a net whose rounded VAT fits: then
 * the VAT is the gross minus the net, at most one minor unit from its rounded share.
 */
export function partOf(left: Amounts, amount: bigint, rate_bp: bigint): Amounts {
  if (amount <= 0n || amount > left.total)
    throw new Error('nothing, or more than is left, cannot be given back')
  if (amount === left.total) return left
  const rounded = netOf(amount, rate_bp)
  // Many small parts, each rounded, must not take more net or VAT than is left.
  const net = within(rounded, amount - least(amount, left.vat), least(amount, left.net))
  return { net, vat: amount - net, total: amount }
}

/** The amounts of a document: what was paid as money, which is declared, and what a gift has paid, which lowers it (decision 151). */
export type Paid = { money: Amounts; gift: Amounts }

const NOTHING: Amounts = { net: 0n, vat: 0n, total: 0n }

/** Splits a price of which a gift has paid `gift` (gross). The sum of both is the price, to the minor unit. */
export function loweredBy(price: Amounts, gift: bigint, rate_bp: bigint): Paid {
  const money = gift === price.total ? NOTHING : partOf(price, price.total - gift, rate_bp)
  return { money, gift: less(price, money) }
}

/**
 * Takes a refund of `amount` (gross), of which `gift` comes back as a gift, out of what is left of a sale. The price of the refund is a part of
 * `of`, by default of the whole sale. Neither money nor gift gives more net or VAT than is left of it; of a few cents that may leave the price a
 * minor unit beside its rounded share.
 */
export function refundOf(
  left: Paid,
  { amount, gift: given, of = priceOf(left) }: { amount: bigint; gift: bigint; of?: Amounts | undefined },
  rate_bp: bigint,
): Paid {
  const price = partOf(of, amount, rate_bp)
  const paid = amount - given
  const from = most(paid - price.vat, price.net - left.gift.net)
  const to = least(price.net, paid - price.vat + left.gift.vat)
  const money = drawn(left.money, paid, within(netOf(paid, rate_bp), from, to))
  return { money, gift: drawn(left.gift, given, price.net - money.net) }
}

/** Takes a gross amount out of `left`, with this net or the nearest that is there. */
function drawn(left: Amounts, total: bigint, wanted: bigint): Amounts {
  const net = within(wanted, most(0n, total - left.vat), least(total, left.net))
  return { net, vat: total - net, total }
}

/** The price that money and a gift have paid together. */
export const priceOf = ({ money, gift }: Paid): Amounts => ({
  net: money.net + gift.net,
  vat: money.vat + gift.vat,
  total: money.total + gift.total,
})

/** True if this is all of a document. */
export const isWhole = ({ money, gift }: Paid, document: { total: bigint; gift: bigint }): boolean =>
  money.total === document.total && gift.total === document.gift

export const less = (one: Amounts, other: Amounts): Amounts => ({
  net: one.net - other.net,
  vat: one.vat - other.vat,
  total: one.total - other.total,
})

/** The net of a gross amount, rounded. */
const netOf = (gross: bigint, rate_bp: bigint): bigint =>
  (gross * 10_000n + (10_000n + rate_bp) / 2n) / (10_000n + rate_bp)

const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const within = (value: bigint, from: bigint, to: bigint): bigint => (value < from ? from : least(value, to))
