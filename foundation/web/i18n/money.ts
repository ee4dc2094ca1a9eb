import { decimalText, digitsOf, fractionOf, moneyText, toMoney } from '#foundation/money.ts'
import type { Money } from '#foundation/money.ts'
import { currentLocale } from './locale.ts'

/** Returns an amount as the present language writes it, '€19.90' or '19,90 €'. */
export const formatMoney = (money: Money): string => withMinus(moneyText(money, currentLocale()))

/** Returns an amount with its sign, also a plus, for money that came in or went out. */
export const formatSignedMoney = (money: Money): string =>
  withMinus(moneyText(money, currentLocale(), 'exceptZero'))

/** Replaces the browser's hyphen by a minus sign, which is as wide as a plus, so that amounts below each other line up. */
const withMinus = (text: string): string => text.replace('-', '\u{2212}')

/**
 * Reads a typed amount, such as '20', '19.90' or '1 000,5', and returns it in minor units. The last point or comma before at most
 * `digits` digits, the currency's number of them, is the decimal separator. Returns undefined for a text that is no amount, or that
 * may be two: '1.234' is a thousand for Germans, and a typing error for the English.
 */
export function parseAmount(typed: string, digits = 2): bigint | undefined {
  const text = typed.replaceAll(/[\s\u00A0\u202F'’]/g, '')
  if (digits < 3 && mayBeFraction(text)) return undefined
  const [, whole = '', fraction = ''] =
    new RegExp(`^(\\d[\\d.,]*?|)(?:[.,](\\d{0,${digits}}))?$`).exec(text) ?? []
  const grouped = whole.replaceAll(/[.,](?=\d{3}(?:[.,]|$))/g, '')
  if (!/^\d{1,15}$/.test(grouped)) return undefined
  return BigInt(grouped + fraction.padEnd(digits, '0'))
}

/** Reads a typed amount as `parseAmount` does, also with the sign or the name of its currency: '12,34 €' or 'EUR 12.34'. */
export function parseSum(typed: string, currency: string): bigint | undefined {
  const sign = new Intl.NumberFormat(currentLocale(), {
    style: 'currency',
    currency,
    ...fractionOf(currency),
  })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value
  const bare = [sign ?? '', currency].reduce(
    (text, name) => (name === '' ? text : text.replace(name, '').replace(name.toLowerCase(), '')),
    typed.replaceAll(/\p{Sc}/gu, ''),
  )
  return parseAmount(bare, digitsOf(currency))
}

/** True if three digits behind a separator may be a fraction: it does not group thousands in this language, or the number begins with 0. */
function mayBeFraction(text: string): boolean {
  const onlySeparator = /^\d+([.,])\d{3}$/.exec(text)?.[1]
  const isForeign = onlySeparator !== undefined && onlySeparator !== groupSeparator()
  return isForeign || /^0\d*[.,]\d{3}(?!\d)/.test(text)
}

const groupSeparator = (): string | undefined =>
  new Intl.NumberFormat(currentLocale()).formatToParts(12_345).find(({ type }) => type === 'group')?.value

/** Returns an amount as a person would type it into a field, '25' or '19.90' or '19,90'. `parseAmount` reads it again. */
export function typedAmount(money: Money): string {
  const text = decimalText(money).replace(/\.0+$/, '')
  return currentLocale() === 'en' ? text : text.replace('.', ',')
}

/** Returns a typed limit; null for an empty text, which is no limit, and undefined for one that is no amount. */
export function typedLimit(typed: string, currency: string): Money | null | undefined {
  if (typed.trim() === '') return null
  const amount = parseAmount(typed, digitsOf(currency))
  return amount === undefined ? undefined : toMoney(amount, currency)
}
