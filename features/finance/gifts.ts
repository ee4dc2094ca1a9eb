/** A spending, in minor units and positive: all of it and the gift in it, and how much of both earlier refunds have given back. */
export type Spending = { total: bigint; gift: bigint; total_back: bigint; gift_back: bigint }

/**
 * Returns how much of a refund of `amount` comes back as a gift: the share in which the spending took gifts, rounded down to the customer's
 * favour. The shares of several refunds add up to the whole, because each is the difference of two sums. Money that a reissue has given
 * back alone counts as money: never more gift or money comes back than was spent of it.
 */
export function giftOfRefund({ total, gift, total_back, gift_back }: Spending, amount: bigint): bigint {
  const share = (gift * (total_back + amount)) / total - gift_back
  const most = min(gift - gift_back, amount)
  return max(giftOfReissue({ total, gift, total_back, gift_back }, amount), min(share, most))
}

/** Returns how much of what a reissue gives back is a gift: only what is more than the money that is left, as the new price falls to the gift. */
export const giftOfReissue = ({ total, gift, total_back, gift_back }: Spending, amount: bigint): bigint =>
  max(0n, amount - (total - gift - (total_back - gift_back)))

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
