import { describe, expect, it } from 'vitest'
import { giftOfRefund, giftOfReissue } from './gifts.ts'

/** Refunds these amounts of one spending, one after the other, and returns how much of each comes back as a gift. */
function refunds(total: bigint, gift: bigint, amounts: readonly bigint[], first = { total: 0n, gift: 0n }) {
  let { total: total_back, gift: gift_back } = first
  return amounts.map((amount) => {
    const part = giftOfRefund({ total, gift, total_back, gift_back }, amount)
    total_back += amount
    gift_back += part
    return part
  })
}

const sum = (parts: readonly bigint[]) => parts.reduce((all, part) => all + part, 0n)

describe('rule 61: gifts come back as gifts, and money as money', () => {
  it('in the share in which they were spent, to the unit, in however many refunds', () => {
    expect(refunds(10n, 3n, [10n])).toEqual([3n])
    expect(
      refunds(
        10n,
        3n,
        Array.from({ length: 10 }, () => 1n),
      ),
    ).toEqual([0n, 0n, 0n, 1n, 0n, 0n, 1n, 0n, 0n, 1n])
    expect(refunds(10n, 10n, [4n, 6n])).toEqual([4n, 6n])
    expect(refunds(10n, 0n, [4n, 6n])).toEqual([0n, 0n])
  })

  it('and never more of either than was spent, also after a reissue, which gives back money first', () => {
    expect(giftOfReissue({ total: 1190n, gift: 500n, total_back: 0n, gift_back: 0n }, 190n)).toBe(0n)
    expect(refunds(1190n, 500n, [1000n], { total: 190n, gift: 0n })).toEqual([500n])
    // A gift that is more than the new price comes back in part.
    expect(giftOfReissue({ total: 1190n, gift: 1100n, total_back: 0n, gift_back: 0n }, 190n)).toBe(100n)
    for (let seed = 1n; seed < 400n; seed += 1n) {
      const [total, gift, reissue] = [1n + ((seed * 7919n) % 500n), 0n, 0n].map((one) => one) as [
        bigint,
        bigint,
        bigint,
      ]
      const given = (gift + seed * 104_729n) % (total + 1n)
      const back = (reissue + seed * 31n) % total
      const first = {
        total: back,
        gift: giftOfReissue({ total, gift: given, total_back: 0n, gift_back: 0n }, back),
      }
      const rest = total - back
      const cut = (seed * 17n) % rest
      const parts = refunds(
        total,
        given,
        [cut, rest - cut].filter((amount) => amount > 0n),
        first,
      )
      expect(first.gift + sum(parts)).toBe(given)
      expect(parts.every((part) => part >= 0n)).toBe(true)
    }
  })
})
