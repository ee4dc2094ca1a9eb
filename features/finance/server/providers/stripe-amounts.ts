import { digitsOf } from '#foundation/money.ts'

/**
 * How Stripe counts the currencies that it does not count as ISO 4217 does. Source: https://docs.stripe.com/currencies, sections "Zero-decimal
 * currencies", "Three-decimal currencies" and "Special cases", as of January 2026. `digits` are those of Stripe's unit; an amount must be
 * a multiple of `step` of these units. HUF and TWD have two digits in charges; only payouts are in whole units.
 */
const special: Readonly<Record<string, { digits: number; step: bigint }>> = {
  // Charges look as if there were two digits, for compatibility, and both must be 0.
  ISK: { digits: 2, step: 100n },
  UGX: { digits: 2, step: 100n },
  // ISO 4217 gives the ariary two digits, Stripe none.
  MGA: { digits: 0, step: 1n },
  // The last of three digits must be 0.
  ...Object.fromEntries(['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((code) => [code, { digits: 3, step: 10n }])),
}

const countOf = (currency: string) => special[currency] ?? { digits: digitsOf(currency), step: 1n }

/** Returns an amount in minor units in Stripe's units; undefined if Stripe cannot charge it: 10.005 dinars. */
export function toStripe(amount: bigint, currency: string): bigint | undefined {
  const { digits, step } = countOf(currency)
  const counted = scaled(amount, digits - digitsOf(currency))
  return counted !== undefined && counted % step === 0n ? counted : undefined
}

/** Returns Stripe's amount in minor units. Throws if it is finer than the currency: to round would lose money. */
export function fromStripe(counted: bigint, currency: string): bigint {
  const amount = scaled(counted, digitsOf(currency) - countOf(currency).digits)
  if (amount === undefined) throw new Error(`an amount of Stripe is finer than ${currency}`)
  return amount
}

function scaled(amount: bigint, by: number): bigint | undefined {
  if (by >= 0) return amount * 10n ** BigInt(by)
  const factor = 10n ** BigInt(-by)
  return amount % factor === 0n ? amount / factor : undefined
}
