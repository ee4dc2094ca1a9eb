import type { App } from '#foundation/server/app.ts'
import { minorUnits } from '#foundation/money.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { salesElsewhere, type SalesElsewhere } from './threshold-queries.ts'

/**
 * The threshold for sales to consumers in other member states, which are taxed at home up to it, in whole units (rule 54). Source: VAT
 * directive 2006/112/EC, article 59c: 10,000 euros of this and of the previous calendar year without VAT; in other currencies by the rates
 * of 5 December 2017, as the states have fixed them. As known in January 2026.
 */
const amounts: Readonly<Record<string, number>> = {
  EUR: 10_000,
  CZK: 256_530,
  DKK: 74_415,
  HUF: 3_100_000,
  PLN: 42_000,
  RON: 46_337,
  SEK: 99_680,
}

/** Returns the threshold in minor units; undefined in a currency in which none is fixed. */
export function thresholdIn(currency: string): bigint | undefined {
  const whole = amounts[currency]
  return whole === undefined ? undefined : minorUnits(whole, currency)
}

/**
 * Returns the net that may still be sold to consumers elsewhere in the EU this year and be taxed at home, in minor units; -1n once the
 * threshold is passed. With `until`, sales from then on do not count.
 */
export async function leftBelowThreshold(
  app: App,
  db: App['db'],
  { at, until }: { at: Date; until?: Date | undefined },
): Promise<bigint> {
  const { currency, timeZone: time_zone } = app.config
  const threshold = thresholdIn(currency)
  if (threshold === undefined) return -1n
  const year = Number(dayIn(at, time_zone).slice(0, 4))
  return leftIn(threshold, await salesElsewhere(db, { year, until, currency, time_zone }))
}

/** Returns what is left of the threshold; -1n if it is passed. */
export const leftIn = (threshold: bigint, { before, present, has_passed }: SalesElsewhere): bigint =>
  has_passed || before > threshold || present > threshold ? -1n : threshold - present
