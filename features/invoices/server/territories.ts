/**
 * The territories whose VAT is not that of the country in their addresses (rule 54). Sources: VAT directive 2006/112/EC, articles 5 to 7
 * (`outside`: no VAT of the EU), 104 and 105 (`rates` of their own); Commission, Taxes in Europe database (TEDB); French tax code,
 * articles 294 and 296; postcodes by the postal services. As known in January 2026. Corsica and the Balearics have the rates of their country.
 */
type Territory = {
  /** The country of the address, by ISO 3166-1. */
  country: string
  /** Matches the postcode without blanks, hyphens and the country's prefix. */
  zip: RegExp
  /** Matches the city, where other places outside of the territory share the postcode. */
  city?: RegExp
  /** The code of the territory: ISO 3166-1 where it has one, IC and EA as reserved there, else a name behind the country. */
  code: string
  /** The territory's own standard rate in basis points, from a day on; without, no VAT of the EU is due. */
  rates?: readonly (readonly [from: string, rate_bp: bigint])[]
}

const table: readonly Territory[] = [
  { country: 'ES', zip: /^(?:35|38)\d{3}/, code: 'IC' },
  { country: 'ES', zip: /^(?:51|52)\d{3}/, code: 'EA' },
  { country: 'IT', zip: /^23041/, code: 'IT-LIVIGNO' },
  { country: 'IT', zip: /^23030/, city: /livigno/i, code: 'IT-LIVIGNO' },
  { country: 'IT', zip: /^22061/, code: 'IT-CAMPIONE' },
  { country: 'IT', zip: /^22060/, city: /campione/i, code: 'IT-CAMPIONE' },
  { country: 'IT', zip: /^00120/, code: 'VA' },
  { country: 'IT', zip: /^4789\d/, code: 'SM' },
  { country: 'DE', zip: /^78266/, code: 'DE-BUESINGEN' },
  { country: 'DE', zip: /^27498/, code: 'DE-HELGOLAND' },
  { country: 'GR', zip: /^6308[67]/, code: 'GR-ATHOS' },
  { country: 'FI', zip: /^22\d{3}/, code: 'AX' },
  { country: 'FR', zip: /^(?:97133|977)/, code: 'BL' },
  { country: 'FR', zip: /^(?:97150|978)/, code: 'MF' },
  { country: 'FR', zip: /^971\d\d/, code: 'GP' },
  { country: 'FR', zip: /^972\d\d/, code: 'MQ' },
  { country: 'FR', zip: /^973\d\d/, code: 'GF' },
  { country: 'FR', zip: /^974\d\d/, code: 'RE' },
  { country: 'FR', zip: /^975\d\d/, code: 'PM' },
  { country: 'FR', zip: /^976\d\d/, code: 'YT' },
  { country: 'FR', zip: /^984\d\d/, code: 'TF' },
  { country: 'FR', zip: /^986\d\d/, code: 'WF' },
  { country: 'FR', zip: /^987\d\d/, code: 'PF' },
  { country: 'FR', zip: /^988\d\d/, code: 'NC' },
  { country: 'DK', zip: /^39\d\d$/, code: 'GL' },
  { country: 'DK', zip: /^[1-9]\d\d$/, code: 'FO' },
  // The areas in which the government has no effective control have Turkish postcodes (accession treaty, protocol 10).
  { country: 'CY', zip: /^99\d{3}/, code: 'CY-NORTH' },
  { country: 'GB', zip: /^JE\d/, code: 'JE' },
  { country: 'GB', zip: /^GY\d/, code: 'GG' },
  { country: 'AT', zip: /^6691/, code: 'AT-JUNGHOLZ', rates: [['1995-01-01', 1900n]] },
  { country: 'AT', zip: /^699[1-3]/, code: 'AT-MITTELBERG', rates: [['1995-01-01', 1900n]] },
  { country: 'PT', zip: /^9[0-4]\d\d/, code: 'PT-30', rates: [['2012-04-01', 2200n]] },
  {
    country: 'PT',
    zip: /^9[5-9]\d\d/,
    code: 'PT-20',
    rates: [
      ['2014-01-01', 1800n],
      ['2021-07-01', 1600n],
    ],
  },
]

// Articles 294 and 296 of the French tax code: a seller in France charges these rates there, and none in French Guiana and Mayotte.
const inFrenchLaw = new Map([
  ['GP', 850n],
  ['MQ', 850n],
  ['RE', 850n],
  ['GF', 0n],
  ['YT', 0n],
])

/** A place of a buyer, as its address says it. */
export type Place = { country: string; zip?: string; city?: string }

/**
 * The VAT of a place: `country` whose law taxes it (Monaco is FR), `code` of the place itself (RE, IT-LIVIGNO, else the country), and its own
 * `rates` if they differ from the country's. A place that is `outside` is not in the VAT area of its country.
 */
export type VatPlace = {
  country: string
  code: string
  outside: boolean
  rates: Territory['rates'] | undefined
}

// Monaco and the Isle of Man belong to the VAT areas of their neighbours (article 7), Liechtenstein to the Swiss.
const sameArea: Readonly<Record<string, string>> = {
  MC: 'FR',
  IM: 'GB',
  LI: 'CH',
  EL: 'GR',
  XI: 'GB',
  UK: 'GB',
}

/** Returns the country whose VAT applies in a country as a whole. */
export const taxedAs = (country: string): string => sameArea[country] ?? country

/** Returns the VAT place of an address: the one place that knows which VAT law is meant, by country and postcode. */
export function vatPlaceOf({ country: given, zip = '', city = '' }: Place): VatPlace {
  const country = taxedAs(given)
  const found = table.find(
    (entry) =>
      entry.country === country &&
      entry.zip.test(plainZip(zip, country)) &&
      (entry.city === undefined || entry.city.test(city)),
  )
  if (!found) return { country, code: country, outside: false, rates: undefined }
  return { country, code: found.code, outside: found.rates === undefined, rates: found.rates }
}

/** Returns the rate that a seller in France charges in a French department overseas; undefined for other places. */
export const frenchOverseasRate = (place: VatPlace): bigint | undefined => inFrenchLaw.get(place.code)

/** Postcodes as people write them: 'ES-35001', 'F-97400', '630 86', 'GY1 1AA'. All but the British are digits. */
const plainZip = (zip: string, country: string): string =>
  country === 'GB'
    ? zip
        .normalize('NFKC')
        .toUpperCase()
        .replaceAll(/[^A-Z\d]/g, '')
        .replace(/^GB(?=[A-Z])/, '')
    : zip.normalize('NFKC').replaceAll(/\D/g, '')
