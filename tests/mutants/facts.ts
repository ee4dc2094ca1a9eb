import { inFile, type Mutant } from './mutant.ts'

/** Facts of money and law from kept tables (rules 54 and 62). */
export const facts: readonly Mutant[] = [
  ...inFile(
    'features/invoices/server/territories.ts',
    ['features/invoices/server/vat.test.ts'],
    [
      [
        'entry.zip.test(plainZip(zip, country)) &&',
        'zip === country &&',
        'the postcode decides which VAT is meant',
      ],
      ['entry.city.test(city)', 'true', 'a shared postcode alone moves no place'],
      ['country: taxedIn ?? country,', 'country,', 'a German postcode in Austria is taxed in Austria'],
      ['outside: !taxedIn && rates', 'outside: rates', 'the British bases on Cyprus are taxed'],
      ['if (reserved.includes(given))', 'if (false)', 'the Canaries have a code of their own'],
      ["replaceAll(/\\D/g, '')", "replaceAll(' ', '')", 'a postcode is read as people write it'],
    ],
  ),
  ...inFile(
    'features/invoices/server/vat.ts',
    ['features/invoices/server/vat.test.ts'],
    [
      ['if (country !== home && (override', 'if ((override', 'a business at home pays VAT'],
      [
        "const isVerified = vat_id_check === 'form_right' && isFresh(proof.check, at)",
        "const isVerified = vat_id_check === 'form_right'",
        'a VAT id that nobody has confirmed moves no tax',
      ],
      [
        "taxedAs(countryOfVatId(vat_id)) === country ? 'form_right' : 'other_country'",
        "'form_right'",
        'a VAT id of another country moves no tax',
      ],
      ['if (place.outside || (country', 'if ((country', 'a place outside of the VAT area pays no VAT'],
      ['if (setHere !== undefined)', 'if (false)', 'the operator sets the rate of a territory'],
      ['isAbroad && !outside &&', 'isAbroad &&', 'nobody is asked about a VAT id that decides nothing'],
      [
        "home === 'FR' ? frenchOverseasRate",
        "home !== 'FR' ? frenchOverseasRate",
        'the rates overseas are of French law',
      ],
    ],
  ),
  ...inFile(
    'features/invoices/server/consumers.ts',
    ['features/invoices/server/vat.test.ts'],
    [["(kind === 'outside_eu' &&", "(kind === 'oss' &&", 'consumers of a territory keep their rights']],
  ),
  ...inFile(
    'features/invoices/server/company.ts',
    ['features/invoices/server/vat.test.ts'],
    [
      [
        'values.COMPANY_NAME !== undefined && outside',
        'false',
        'no seller starts with a tax that is not known',
      ],
      ['!countryCodes.includes(country)', 'false', 'no seller starts in a country that is none'],
    ],
  ),
  ...inFile(
    'features/finance/server/providers/stripe-amounts.ts',
    ['features/finance/server/providers/stripe.test.ts'],
    [
      ['counted % step === 0n', 'counted % 1n === 0n', 'Stripe refuses the last digit of three'],
      ['if (amount === undefined) throw', 'if (amount === 0n) throw', 'no amount of Stripe is rounded'],
      ['digits - digitsOf(currency)', '0 * digits', 'Stripe counts in its own units'],
      ['amount % factor === 0n ?', 'true ?', 'no amount is cut'],
    ],
  ),
  ...inFile(
    'features/finance/server/providers/mollie-amounts.ts',
    ['features/finance/server/providers/mollie.test.ts'],
    [
      ['amount % step !== 0n', 'false', 'Mollie rounds no amount for PayPal'],
      ['fraction.length !== digits', 'false', 'no part of a cent is booked'],
    ],
  ),
]
