import { describe, expect, it } from 'vitest'
import { giftLeft, type GiftMovement } from './gifts.ts'

let last = 0
const move = (type: GiftMovement['type'], amount: bigint, reverses?: GiftMovement): GiftMovement => ({
  id: String((last += 1)),
  type,
  amount,
  reverses: reverses?.id ?? null,
  is_write_off: false,
})
const gift = (amount: bigint) => move('fill_balance_voucher', amount)
const paid = (amount: bigint) => move('fill_balance', amount)
const spent = (amount: bigint) => move('spend', -amount)

describe('rule 61: gifts are told from money', () => {
  it('are spent first, whatever came first', () => {
    expect(giftLeft([paid(10n), gift(3n), spent(2n)])).toBe(1n)
    expect(giftLeft([gift(3n), paid(10n), spent(5n)])).toBe(0n)
    expect(giftLeft([paid(10n), spent(5n), gift(3n)])).toBe(3n)
  })

  it('come back in the share in which they were spent, to the unit, in however many refunds', () => {
    const order = spent(10n)
    const before = [gift(3n), paid(10n), order]
    const backs = Array.from({ length: 10 }, () => move('return_on_balance', 1n, order))
    const lefts = backs.map((_, count) => giftLeft([...before, ...backs.slice(0, count + 1)]))
    expect(lefts).toEqual([0n, 0n, 0n, 1n, 1n, 1n, 2n, 2n, 2n, 3n])
    expect(giftLeft([...before, move('return_on_balance', 10n, order)])).toBe(3n)
  })

  it('are not taken by a chargeback or a payout, and a debt that is written off leaves none', () => {
    const payment = paid(10n)
    expect(giftLeft([payment, gift(3n), move('charge_back', -10n, payment)])).toBe(3n)
    const written = { ...gift(7n), is_write_off: true }
    expect(giftLeft([payment, spent(7n), move('charge_back', -10n, payment), written])).toBe(0n)
  })
})
