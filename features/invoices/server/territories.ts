/** The sources of the lines below, all read in November 2026 (decision 158). */
type Source =
  /** Directive 2006/112/EC, article 6 (1) and (2): outside of the VAT area; article 7: as their neighbours. */
  | 'directive 6'
  | 'directive 7'
  /** Treaty on the Functioning of the EU, article 355 and annex II: not of the Union; no VAT area by article 5 of the directive. */
  | 'treaty'
  /** Commission, Taxes in Europe Database (TEDB) and "Territorial status of EU countries and certain territories". */
  | 'commission'
  /** Act of Accession 2003, protocol 10: the areas in which the government of Cyprus has no effective control. */
  | 'protocol 10'
  /** Austrian VAT Act 1994, section 10 (4). */
  | 'UStG 10 (4)'
  /** Portuguese tax authority, Ofício Circulado 25045/2024, on article 18 (3) of the VAT code. */
  | 'CIVA 18 (3)'

/** A territory whose VAT is not that of the country in its addresses (rule 54). Postcodes are those of the postal services. */
type Territory = {
  /** The country of the address, by ISO 3166-1. */
  country: string
  /** Matches the postcode without blanks, hyphens and the country's prefix. */
  zip: RegExp
  /** Matches the city, where other places outside of the territory share the postcode. */
  city?: RegExp
  /** The code of the territory: ISO 3166-1 where it has one, IC and EA as reserved there, else a name behind the country. */
  code: string
  /** The country whose VAT applies there, if it is another one than that of the address. */
  taxedIn?: string
  /** The territory's own standard rate in basis points, from a day on; without, no VAT of the EU is due, unless `taxedIn`. */
  rates?: readonly (readonly [from: string, rate_bp: bigint])[]
  by: Source
}

const jungholz = { code: 'AT-JUNGHOLZ', rates: [['1995-01-01', 1900n]], by: 'UStG 10 (4)' } as const
const mittelberg = { ...jungholz, code: 'AT-MITTELBERG' } as const

// Corsica, the Balearics and the islands of Greece have the rates of their country for services.
const table: readonly Territory[] = [
  { country: 'ES', zip: /^(?:35|38)\d{3}/, code: 'IC', by: 'directive 6' },
  { country: 'ES', zip: /^(?:51|52)\d{3}/, code: 'EA', by: 'directive 6' },
  { country: 'IT', zip: /^23041/, code: 'IT-LIVIGNO', by: 'directive 6' },
  { country: 'IT', zip: /^23030/, city: /livigno/i, code: 'IT-LIVIGNO', by: 'directive 6' },
  { country: 'IT', zip: /^22061/, code: 'IT-CAMPIONE', by: 'directive 6' },
  { country: 'IT', zip: /^22060/, city: /campione/i, code: 'IT-CAMPIONE', by: 'directive 6' },
  { country: 'IT', zip: /^00120/, code: 'VA', by: 'commission' },
  { country: 'IT', zip: /^4789\d/, code: 'SM', by: 'commission' },
  { country: 'DE', zip: /^78266/, code: 'DE-BUESINGEN', by: 'directive 6' },
  { country: 'DE', zip: /^27498/, code: 'DE-HELGOLAND', by: 'directive 6' },
  // These two have German postcodes beside the Austrian ones.
  { country: 'DE', zip: /^87491/, taxedIn: 'AT', ...jungholz },
  { country: 'DE', zip: /^8756[7-9]/, taxedIn: 'AT', ...mittelberg },
  { country: 'AT', zip: /^6691/, ...jungholz },
  { country: 'AT', zip: /^699[1-3]/, ...mittelberg },
  { country: 'GR', zip: /^6308[67]/, code: 'GR-ATHOS', by: 'directive 6' },
  { country: 'FI', zip: /^22\d{3}/, code: 'AX', by: 'directive 6' },
  { country: 'FR', zip: /^(?:97133|977)/, code: 'BL', by: 'treaty' },
  { country: 'FR', zip: /^(?:97150|978)/, code: 'MF', by: 'directive 6' },
  { country: 'FR', zip: /^971\d\d/, code: 'GP', by: 'directive 6' },
  { country: 'FR', zip: /^972\d\d/, code: 'MQ', by: 'directive 6' },
  { country: 'FR', zip: /^973\d\d/, code: 'GF', by: 'directive 6' },
  { country: 'FR', zip: /^974\d\d/, code: 'RE', by: 'directive 6' },
  { country: 'FR', zip: /^975\d\d/, code: 'PM', by: 'treaty' },
  { country: 'FR', zip: /^976\d\d/, code: 'YT', by: 'directive 6' },
  { country: 'FR', zip: /^984\d\d/, code: 'TF', by: 'treaty' },
  { country: 'FR', zip: /^986\d\d/, code: 'WF', by: 'treaty' },
  { country: 'FR', zip: /^987\d\d/, code: 'PF', by: 'treaty' },
  { country: 'FR', zip: /^988\d\d/, code: 'NC', by: 'treaty' },
  { country: 'DK', zip: /^39\d\d$/, code: 'GL', by: 'treaty' },
  { country: 'DK', zip: /^[1-9]\d\d$/, code: 'FO', by: 'treaty' },
  { country: 'CY', zip: /^99\d{3}/, code: 'CY-NORTH', by: 'protocol 10' },
  // The bases of Akrotiri and Dhekelia: numbers and postcodes of the British Forces Post Office.
  { country: 'GB', zip: /^(?:BFPO5[78]|BF12A[TU])$/, code: 'CY', taxedIn: 'CY', by: 'directive 7' },
  { country: 'GB', zip: /^JE\d/, code: 'JE', by: 'commission' },
  { country: 'GB', zip: /^GY\d/, code: 'GG', by: 'commission' },
  { country: 'PT', zip: /^9[0-4]\d\d/, code: 'PT-30', rates: [['2012-04-01', 2200n]], by: 'CIVA 18 (3)' },
  {
    country: 'PT',
    zip: /^9[5-9]\d\d/,
    code: 'PT-20',
    rates: [
      ['2014-01-01', 1800n],
      ['2021-07-01', 1600n],
    ],
    by: 'CIVA 18 (3)',
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

// The codes that ISO 3166-1 reserves for the two Spanish territories, as some write them in place of a country.
const reserved = ['IC', 'EA']

/** The codes of the territories, which VAT_RATES may name beside countries. */
export const territoryCodes: readonly string[] = table.map(({ code }) => code)

/** Returns the VAT place of an address: the one place that knows which VAT law is meant, by country and postcode. */
export function vatPlaceOf({ country: given, zip = '', city = '' }: Place): VatPlace {
  if (reserved.includes(given)) return { country: 'ES', code: given, outside: true, rates: undefined }
  const country = taxedAs(given)
  const found = table.find(
    (entry) =>
      entry.country === country &&
      entry.zip.test(plainZip(zip, country)) &&
      (entry.city === undefined || entry.city.test(city)),
  )
  if (!found) return { country, code: country, outside: false, rates: undefined }
  const { code, taxedIn, rates } = found
  return { country: taxedIn ?? country, code, outside: !taxedIn && rates === undefined, rates }
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
