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
  const rounded = (amount * 10_000n + (10_000n + rate_bp) / 2n) / (10_000n + rate_bp)
  // Many small parts, each rounded, must not take more net or VAT than is left.
  const net = within(rounded, amount - least(amount, left.vat), least(amount, left.net))
  return { net, vat: amount - net, total: amount }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const within = (value: bigint, from: bigint, to: bigint): bigint => (value < from ? from : least(value, to))
