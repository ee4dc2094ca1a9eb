import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountOf, money, toMoney, vatOf } from './money.ts'

const amounts = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })

it('rule 6: an amount survives JSON to the last digit', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const sent = money.parse(JSON.parse(JSON.stringify(toMoney(amount, 'EUR'))))
      expect(amountOf(sent)).toBe(amount)
    }),
  )
})

it.each(['1.5', '01', '-', '', '1e3', ' 1', '9'.repeat(19)])('refuses %j as an amount', (amount) => {
  expect(money.safeParse({ amount, currency: 'EUR' }).success).toBe(false)
})

it.each([
  [1990n, 1900n, 378n], // 378.1
  [50n, 1900n, 10n], // 9.5 goes up
  [150n, 2100n, 32n], // 31.5 goes up
  [-150n, 2100n, -32n],
  [100n, 0n, 0n],
  [333n, 2550n, 85n], // 84.915
])('rounds the VAT of %i at %i basis points half up to %i', (net, rate, vat) => {
  expect(vatOf(net, rate)).toBe(vat)
})

it('is off by half a minor unit at most, and the same for a credit note', () => {
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: 3_000n }), (net, rate) => {
      const error = vatOf(net, rate) * 10_000n - net * rate
      expect(error >= -5_000n && error <= 5_000n).toBe(true)
      expect(vatOf(-net, rate)).toBe(-vatOf(net, rate))
    }),
  )
})
