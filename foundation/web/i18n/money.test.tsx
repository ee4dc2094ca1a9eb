import { expect, it } from 'vitest'
import { setLocale } from './locale.ts'
import { formatMoney, formatSignedMoney, parseAmount } from './money.ts'

const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ')
const euro = (amount: string) => ({ amount, currency: 'EUR' })

it.each([
  ['en', '€1,234.50'],
  ['de', '1.234,50 €'],
  ['ru', '1 234,50 €'],
] as const)('writes money as one does in %s', (locale, written) => {
  setLocale(locale)
  expect(plain(formatMoney(euro('123450')))).toBe(written)
})

it('rule 6: is exact beyond what a float holds, and for currencies without cents', () => {
  setLocale('en')
  expect(formatMoney(euro('900719925474099393'))).toBe('€9,007,199,254,740,993.93')
  expect(formatMoney(euro('-5'))).toBe('-€0.05')
  expect(formatSignedMoney(euro('5'))).toBe('+€0.05')
  expect(formatMoney({ amount: '500', currency: 'JPY' })).toBe('¥500')
})

it.each([
  ['20', 2000n],
  ['19.9', 1990n],
  ['19,90', 1990n],
  ['1.234,5', 123450n],
  ['1,234.50', 123450n],
  ['1 234', 123400n],
  ['1,234', 123400n],
  ['5.', 500n],
  ['', undefined],
  ['-5', undefined],
  ['1.2.3', undefined],
  ['12,345,6,7', undefined],
  ['ten', undefined],
])('reads %j as %s', (typed, amount) => {
  expect(parseAmount(typed)).toBe(amount)
})
