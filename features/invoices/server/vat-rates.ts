/**
 * The standard rates of the EU's member states in basis points, each with the day from which it holds (European
 * Commission, Taxes in Europe database; as known in November 2025). An operator sets VAT_RATES when a rate changes.
 */
const rates: Readonly<Record<string, readonly (readonly [from: string, rate_bp: bigint])[]>> = {
  AT: [['1984-01-01', 2000n]],
  BE: [['1996-01-01', 2100n]],
  BG: [['1999-01-01', 2000n]],
  CY: [['2014-01-13', 1900n]],
  CZ: [['2013-01-01', 2100n]],
  DE: [['2021-01-01', 1900n]],
  DK: [['1992-01-01', 2500n]],
  EE: [
    ['2024-01-01', 2200n],
    ['2025-07-01', 2400n],
  ],
  ES: [['2012-09-01', 2100n]],
  FI: [['2024-09-01', 2550n]],
  FR: [['2014-01-01', 2000n]],
  GR: [['2016-06-01', 2400n]],
  HR: [['2012-03-01', 2500n]],
  HU: [['2012-01-01', 2700n]],
  IE: [['2021-03-01', 2300n]],
  IT: [['2013-10-01', 2200n]],
  LT: [['2009-09-01', 2100n]],
  LU: [['2024-01-01', 1700n]],
  LV: [['2012-07-01', 2100n]],
  MT: [['2004-01-01', 1800n]],
  NL: [['2012-10-01', 2100n]],
  PL: [['2011-01-01', 2300n]],
  PT: [['2011-01-01', 2300n]],
  RO: [
    ['2017-01-01', 1900n],
    ['2025-08-01', 2100n],
  ],
  SE: [['1990-07-01', 2500n]],
  SI: [['2013-07-01', 2200n]],
  SK: [
    ['2011-01-01', 2000n],
    ['2025-01-01', 2300n],
  ],
}

/** The member states, by ISO 3166-1 code. */
export const euCountries: readonly string[] = Object.keys(rates)

type Rate = { rate_bp: bigint; from: string }

/** Returns the rate of a member state on a day (`2026-11-21`); the first known rate for earlier days; undefined for other countries. */
export function builtInRate(country: string, day: string): Rate | undefined {
  return rateOn(rates[country], day)
}

/** Returns the rate of a list on a day; the first one for earlier days. */
export function rateOn(
  known: readonly (readonly [from: string, rate_bp: bigint])[] | undefined,
  day: string,
): Rate | undefined {
  const found = known?.findLast(([from]) => from <= day) ?? known?.[0]
  return found && { rate_bp: found[1], from: found[0] }
}
