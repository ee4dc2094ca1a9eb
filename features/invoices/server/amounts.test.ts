import fc from 'fast-check'
import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { vatOf } from '#foundation/money.ts'
import { giftOfRefund } from '#features/finance/gifts.ts'
import { less, loweredBy, partOf, priceOf, refundOf, sharesOf, totalsOf, type Amounts } from './amounts.ts'
import { builtInRate, euCountries } from './vat-rates.ts'

const rates = [0n, ...new Set(euCountries.map((country) => must(builtInRate(country, '2026-01-01')).rate_bp))]
const anyRate = fc.oneof(fc.constantFrom(...rates), fc.bigInt(0n, 9_999n))
const price = fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, 100_000_000n))
const prices = fc.array(price, { minLength: 1, maxLength: 20 })

it('F-02: 10,000 invoices at every rate add up: Σ lines + VAT = total', () => {
  // Red while VAT was rounded for each line and summed: 20 lines of 3 cents at 19 % had 20 cents of VAT instead of 11.
  expect(rates).toHaveLength(12)
  fc.assert(
    fc.property(prices, anyRate, (nets, rate_bp) => {
      const { net, vat, total } = totalsOf(nets, rate_bp)
      const sum = nets.reduce((one, other) => one + other, 0n)
      expect(net).toBe(sum)
      expect(total).toBe(sum + vat)
      // Half up, without a division: 2 × |exact − rounded| ≤ 1, and the tie goes up.
      const twice = 2n * (sum * rate_bp - vat * 10_000n)
      expect(twice >= -10_000n && twice < 10_000n).toBe(true)
    }),
    { numRuns: 10_000 },
  )
})

const all = ({ net, vat }: Amounts): boolean => net >= 0n && vat >= 0n

it('F-02: refunds of a sale that a gift has lowered give back its money as money and its gift as a gift, of all servers or of one', () => {
  fc.assert(
    fc.property(
      fc.array(price, { minLength: 1, maxLength: 5 }).filter((nets) => nets.some((net) => net > 0n)),
      anyRate,
      fc.bigInt(0n, 100n),
      fc.array(fc.record({ which: fc.nat(5), amount: fc.bigInt(1n, 100_000_000n) }), { maxLength: 12 }),
      (given, rate_bp, percent, wanted) => {
        const whole = totalsOf(given, rate_bp)
        const gift = (whole.total * percent) / 100n
        const sold = loweredBy(whole, gift, rate_bp)
        expect([all(sold.money), all(sold.gift), priceOf(sold)]).toEqual([true, true, whole])
        let left = sold
        let nets = [...given]
        for (const { which, amount: any } of [...wanted, { which: 5, amount: 0n }]) {
          const parts = sharesOf(nets, priceOf(left).vat)
          const of = parts[which] ?? priceOf(left)
          // A part of a sale of some cents may have given back a minor unit of net more than it had.
          if (of.total <= 0n) continue
          const amount = any % of.total || of.total
          const spent = { total: whole.total, gift, total_back: whole.total - priceOf(left).total }
          const back = giftOfRefund({ ...spent, gift_back: gift - left.gift.total }, amount)
          const paid = refundOf(left, { amount, gift: back, of }, rate_bp)
          const beside = priceOf(paid).net - partOf(of, amount, rate_bp).net
          expect(beside >= -1n && beside <= 1n).toBe(true)
          expect([paid.money.total, paid.gift.total]).toEqual([amount - back, back])
          left = { money: less(left.money, paid.money), gift: less(left.gift, paid.gift) }
          for (const each of [paid.money, paid.gift, left.money, left.gift]) expect(all(each)).toBe(true)
          if (!parts[which]) break
          nets = nets.map((net, place) => (place === which ? net - priceOf(paid).net : net))
        }
      },
    ),
    { numRuns: 3_000 },
  )
})

it('rounds half up once, on the sum', () => {
  expect(totalsOf([50n], 1900n)).toEqual({ net: 50n, vat: 10n, total: 60n })
  expect(totalsOf(Array<bigint>(20).fill(3n), 1900n)).toEqual({ net: 60n, vat: 11n, total: 71n })
  expect(totalsOf([100_000_000_000_001n], 2550n).vat).toBe(25_500_000_000_000n)
})

it('F-02: partial refunds add up to the whole invoice in the end', () => {
  // Red while each part's net was only rounded: many small parts took more net than there was.
  fc.assert(
    fc.property(
      prices.filter((nets) => nets.some((net) => net > 0n)),
      anyRate,
      fc.array(fc.bigInt(1n, 100_000_000n), { maxLength: 12 }),
      (nets, rate_bp, wanted) => {
        const whole = totalsOf(nets, rate_bp)
        let left = whole
        for (const amount of wanted) {
          if (left.total === 0n) break
          const part = partOf(left, amount % left.total || left.total, rate_bp)
          expect(part.net + part.vat).toBe(part.total)
          left = {
            net: left.net - part.net,
            vat: left.vat - part.vat,
            total: left.total - part.total,
          }
          expect(part.net >= 0n && part.vat >= 0n && left.net >= 0n && left.vat >= 0n).toBe(true)
        }
        if (left.total > 0n) expect(partOf(left, left.total, rate_bp)).toEqual(left)
      },
    ),
    { numRuns: 5_000 },
  )
})

it('splits the first partial refund so that its VAT differs from the VAT on its net by at most one minor unit', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10_000_000n), anyRate, (amount, rate_bp) => {
      const { net, vat } = partOf(totalsOf([100_000_000n], rate_bp), amount, rate_bp)
      const beside = vat - vatOf(net, rate_bp)
      expect(beside >= -1n && beside <= 1n).toBe(true)
    }),
  )
  const left = totalsOf([10_000n], 1900n)
  expect(partOf(left, 1_190n, 1900n)).toEqual({ net: 1_000n, vat: 190n, total: 1_190n })
  // At 19 %, no net has a gross of 3: a net of 2 has a gross of 2, a net of 3 has a gross of 4.
  expect(partOf(left, 3n, 1900n)).toEqual({ net: 3n, vat: 0n, total: 3n })
  expect(() => partOf(left, 11_901n, 1900n)).toThrow('more than is left')
  expect(() => partOf(left, 0n, 1900n)).toThrow('nothing')
})
