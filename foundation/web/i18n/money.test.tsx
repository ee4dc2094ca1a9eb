import { expect, it } from 'vitest'
import { digitsOf } from '#foundation/money.ts'
import { setLocale } from './locale.ts'
import { formatMoney, formatSignedMoney, parseAmount, typedAmount } from './money.ts'

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
  expect(formatMoney(euro('-5'))).toBe('−€0.05')
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

// This failed while '1.234' and '1,234' were read as a thousand in each language, also where the separator means a fraction.
it.each([
  ['en', '1,234', 123400n],
  ['en', '1.234', undefined],
  ['de', '1.234', 123400n],
  ['de', '1,234', undefined],
  ['ru', '1 234', 123400n],
  ['ru', '1.234', undefined],
  ['ru', '1,234', undefined],
  ['de', '12.345.678', 1234567800n],
  ['en', '1.234,50', 123450n],
  ['en', '0,500', undefined],
  ['de', '0.500', undefined],
] as const)('in %s reads %j as %s', (locale, typed, amount) => {
  setLocale(locale)
  expect(parseAmount(typed)).toBe(amount)
})

it.each([
  ['en', '2500', '25'],
  ['en', '1990', '19.90'],
  ['de', '1990', '19,90'],
  ['ru', '5', '0,05'],
] as const)('in %s fills a field with %s as %s, which is read as the same', (locale, amount, typed) => {
  setLocale(locale)
  expect(typedAmount(euro(amount))).toBe(typed)
  expect(parseAmount(typed, digitsOf('EUR'))).toBe(BigInt(amount))
})

it('knows that yen have no cents', () => {
  expect(digitsOf('JPY')).toBe(0)
  expect(typedAmount({ amount: '500', currency: 'JPY' })).toBe('500')
})
