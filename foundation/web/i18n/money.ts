import { decimalText, moneyText } from '#foundation/money.ts'
import type { Money } from '#foundation/money.ts'
import { currentLocale } from './locale.ts'

/** An amount as the reader writes it, '€19.90' or '19,90 €'. */
export const formatMoney = (money: Money): string => withMinus(moneyText(money, currentLocale()))

/** An amount with its sign always shown, for money that came in or went out. */
export const formatSignedMoney = (money: Money): string =>
  withMinus(moneyText(money, currentLocale(), 'exceptZero'))

/** Puts a minus sign for the browser's hyphen, which is shorter than a plus: amounts below each other would not line up. */
const withMinus = (text: string): string => text.replace('-', '\u{2212}')

/**
 * An amount as typed, in minor units: '20', '19.90', '1 000,5'. The last point or comma before at most two
 * digits is the decimal one; undefined where it cannot be meant as an amount, or may be meant as two: '1.234' is a thousand
 * for Germans, and a slip of the finger for the English. `digits` is the currency's number of them.
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

/** True where three digits behind a separator may be meant as a fraction: nobody groups the thousands of a number that begins with 0. */
function mayBeFraction(text: string): boolean {
  const onlySeparator = /^\d+([.,])\d{3}$/.exec(text)?.[1]
  const isForeign = onlySeparator !== undefined && onlySeparator !== groupSeparator()
  return isForeign || /^0\d*[.,]\d{3}(?!\d)/.test(text)
}

const groupSeparator = (): string | undefined =>
  new Intl.NumberFormat(currentLocale()).formatToParts(12_345).find(({ type }) => type === 'group')?.value

/** An amount as one would type it into a field, '25' or '19.90' or '19,90': `parseAmount` reads it again. */
export function typedAmount(money: Money): string {
  const text = decimalText(money).replace(/\.0+$/, '')
  return currentLocale() === 'en' ? text : text.replace('.', ',')
}
