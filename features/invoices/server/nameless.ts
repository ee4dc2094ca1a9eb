import { minorUnits, toMoney, type Money } from '#foundation/money.ts'
import { euCountries } from './vat-rates.ts'

type Limit = readonly [currency: string, most: number]

/**
 * The gross amounts up to which an invoice need not name its buyer, in whole units of the currency of the law (rule 54). As known in January
 * 2026. AT: UStG 1994, section 11 (6). CH: MWSTG, article 26 (3), MWSTV, article 57. CZ: ZDPH, section 30. DE: UStDV, section 33. DK:
 * momsbekendtgørelsen, section 63. ES: RD 1619/2012, article 4. FI: AVL, section 209f. IT: DM of 10 May 2019. PL: ustawa o VAT, article
 * 106e (5) no. 3. SE: ML 2023:200, chapter 17, section 26.
 */
const limits: Readonly<Record<string, readonly Limit[]>> = {
  AT: [['EUR', 400]],
  CH: [['CHF', 400]],
  CZ: [['CZK', 10_000]],
  DE: [['EUR', 250]],
  DK: [['DKK', 3_000]],
  ES: [['EUR', 400]],
  FI: [['EUR', 400]],
  IT: [['EUR', 400]],
  PL: [
    ['PLN', 450],
    ['EUR', 100],
  ],
  SE: [['SEK', 4_000]],
}

// Each member state allows 100 euros at least: VAT directive 2006/112/EC, article 220a.
const everywhereInTheEu: Limit = ['EUR', 100]

/** Returns the greatest gross amount of an invoice without a name; 0 in a currency or a country whose law is not known. */
export function namelessUpTo({ country }: { country: string }, currency: string): Money {
  const known = limits[country] ?? (euCountries.includes(country) ? [everywhereInTheEu] : [])
  const [, most] = known.find(([code]) => code === currency) ?? [currency, 0]
  return toMoney(minorUnits(most, currency), currency)
}
