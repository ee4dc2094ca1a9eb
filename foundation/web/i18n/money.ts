import type { Money } from '#foundation/money.ts'
import { currentLocale } from './locale.ts'

/** An amount as people write it, '€19.90' or '19,90 €': exact at any size, because no float ever holds it. */
export function formatMoney({ amount, currency }: Money): string {
  const format = formatOf(currentLocale(), currency)
  return format.format(decimalOf(amount, fractionDigits(format)) as `${number}`)
}

/** The same with the sign always shown, for what came in and went out. */
export function formatSignedMoney({ amount, currency }: Money): string {
  const format = formatOf(currentLocale(), currency, 'exceptZero')
  return format.format(decimalOf(amount, fractionDigits(format)) as `${number}`)
}

/**
 * What somebody typed as an amount, in minor units: '20', '19.90', '1 000,5'. The last point or comma before at most two
 * digits is the decimal one; undefined where it cannot be meant as an amount. `digits` is the currency's number of them.
 */
export function parseAmount(typed: string, digits = 2): bigint | undefined {
  const text = typed.replaceAll(/[\s\u00A0\u202F'’]/g, '')
  const [, whole = '', fraction = ''] =
    new RegExp(`^(\\d[\\d.,]*?|)(?:[.,](\\d{0,${digits}}))?$`).exec(text) ?? []
  const grouped = whole.replaceAll(/[.,](?=\d{3}(?:[.,]|$))/g, '')
  if (!/^\d{1,15}$/.test(grouped)) return undefined
  return BigInt(grouped + fraction.padEnd(digits, '0'))
}

/** '1990' with two digits is '19.90'. */
function decimalOf(amount: string, digits: number): string {
  const negative = amount.startsWith('-')
  const all = (negative ? amount.slice(1) : amount).padStart(digits + 1, '0')
  const text = digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`
  return negative ? `-${text}` : text
}

const fractionDigits = (format: Intl.NumberFormat): number =>
  format.resolvedOptions().maximumFractionDigits ?? 2

// Making a formatter costs far more than using it.
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(
  locale: string,
  currency: string,
  signDisplay: 'auto' | 'exceptZero' = 'auto',
): Intl.NumberFormat {
  const key = `${locale} ${currency} ${signDisplay}`
  const format =
    formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, signDisplay })
  formats.set(key, format)
  return format
}
