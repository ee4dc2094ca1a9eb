import * as z from 'zod/mini'
import { knownDigits } from './currencies.ts'
import { named } from './printed.ts'

/**
 * An amount in JSON: whole minor units (cents) as a decimal string, because a JSON number is a float, and an ISO 4217 code.
 * In programs an amount is a `bigint` of minor units; no float ever holds an amount (rule 6).
 */
export const money = z.strictObject({
  amount: z.string().check(z.regex(/^-?(?:0|[1-9]\d{0,17})$/, 'invalid')),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'invalid')),
})
named('Money', money)
export type Money = z.infer<typeof money>

export const toMoney = (amount: bigint, currency: string): Money => ({ amount: amount.toString(), currency })

export const isSameMoney = (one: Money, other: Money): boolean =>
  one.amount === other.amount && one.currency === other.currency

export const amountOf = ({ amount }: Money): bigint => BigInt(amount)

/**
 * Returns the VAT on a net amount, rounded once, half away from zero, so that a credit note takes back exactly what its invoice
 * asked for. `rate_bp` is in basis points: 1900n is 19 %.
 */
export function vatOf(net: bigint, rate_bp: bigint): bigint {
  const sign = net < 0n ? -1n : 1n
  return (sign * (sign * net * rate_bp + 5_000n)) / 10_000n
}

/** Returns the number of digits behind the point of a currency by the kept table (rule 54): 2 for euros, 0 for yen. */
export function digitsOf(currency: string): number {
  const digits = knownDigits(currency)
  if (digits === undefined) throw new Error(`foundation/currencies.ts lacks ${currency}`)
  return digits
}

/** Returns whole units of a currency in minor units: 5 euros are 500n. */
export const minorUnits = (whole: number, currency: string): bigint =>
  BigInt(whole) * 10n ** BigInt(digitsOf(currency))

/** Returns an amount as programs read it, with a point and without the currency: '1990' in euros is '19.90'. */
export function decimalText(money: Money): `${number}`
export function decimalText({ amount, currency }: Money): string {
  const digits = digitsOf(currency)
  const negative = amount.startsWith('-')
  const all = (negative ? amount.slice(1) : amount).padStart(digits + 1, '0')
  const text = digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`
  return negative ? `-${text}` : text
}

/** Returns an amount as people write it in a language, '€19.90' or '19,90 €': exact at any size, because no float ever holds it. */
export const moneyText = (
  given: Money,
  locale: string,
  signDisplay: 'auto' | 'exceptZero' = 'auto',
): string => formatOf(locale, given.currency, signDisplay).format(decimalText(given))

/** Returns the digits for a formatter of money, which without them would ask the browser's own table. */
export const fractionOf = (currency: string) => {
  const digits = digitsOf(currency)
  return { minimumFractionDigits: digits, maximumFractionDigits: digits }
}

// Making a formatter costs far more than using it.
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(
  locale: string,
  currency: string,
  signDisplay: 'auto' | 'exceptZero' = 'auto',
): Intl.NumberFormat {
  const key = `${locale} ${currency} ${signDisplay}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, { style: 'currency', currency, signDisplay, ...fractionOf(currency) })
  formats.set(key, format)
  return format
}
