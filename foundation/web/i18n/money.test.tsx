import { expect, it } from 'vitest'
import { currencies } from '#foundation/currencies.ts'
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

it('rule 54: writes each currency of the kept table with its own digits, and reads the same again', () => {
  setLocale('en')
  for (const currency of currencies)
    for (const amount of ['1', '99', '100', '12345', '100000']) {
      const typed = typedAmount({ amount, currency })
      expect([currency, parseAmount(typed, digitsOf(currency))]).toEqual([currency, BigInt(amount)])
      const written = formatMoney({ amount, currency })
        .replaceAll(/[^\d.]/g, '')
        .replace(/^\.(?=\D|\d*\.)/, '')
      expect([currency, written.split('.').at(-1)?.length]).toEqual([
        currency,
        digitsOf(currency) === 0 ? amount.length : digitsOf(currency),
      ])
    }
})

// Browsers write the first seven without digits, or differ.
it.each([
  ['HUF', 2],
  ['IDR', 2],
  ['COP', 2],
  ['PKR', 2],
  ['ALL', 2],
  ['IQD', 3],
  ['MGA', 2],
  ['JPY', 0],
  ['ISK', 0],
  ['UGX', 0],
  ['BGN', 2],
] as const)('rule 54: a minor unit of %s has %i digits', (currency, digits) => {
  expect(digitsOf(currency)).toBe(digits)
  expect(() => digitsOf('XXX')).toThrow('currencies.ts lacks XXX')
})
