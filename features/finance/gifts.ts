import type { TransactionType } from './rules.ts'

/** A movement of a balance, in minor units: `amount` is signed, `reverses` the movement that it takes back. */
export type GiftMovement = {
  id: string
  type: TransactionType
  amount: bigint
  reverses: string | null
  /** True if it gives up a debt, which is no gift that is left. */
  is_write_off: boolean
}

/**
 * Returns how much of a balance was given (vouchers, credit) and not paid, after these movements, oldest first. Gifts are
 * spent first. A refund returns them in the share in which the spending took them, rounded down to the customer's favour. A chargeback takes
 * paid money only. The paid part of a balance is the rest; it is below zero after a chargeback of money that is spent.
 */
export function giftLeft(movements: readonly GiftMovement[]): bigint {
  let gift = 0n
  const taken = new Map<string, { gift: bigint; total: bigint; back: bigint }>()
  for (const { id, type, amount, reverses, is_write_off } of movements) {
    if (type === 'fill_balance_voucher' && !is_write_off) gift += amount
    else if (type === 'spend' || type === 'inner_spending') {
      const part = gift < -amount ? gift : -amount
      taken.set(id, { gift: part, total: -amount, back: 0n })
      gift -= part
    } else if (type === 'return_on_balance' || type === 'inner_refund') {
      const spent = reverses === null ? undefined : taken.get(reverses)
      if (!spent) continue
      // The shares of several refunds add up to the whole, because each is the difference of two sums.
      const shareOf = (back: bigint) => (spent.gift * back) / spent.total
      gift += shareOf(spent.back + amount) - shareOf(spent.back)
      spent.back += amount
    }
  }
  return gift
}
