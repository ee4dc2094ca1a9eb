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
      ['isAbroad && !outside &&', 'isAbroad &&', 'nobody is asked about a VAT id that decides nothing'],
      [
        "home === 'FR' ? frenchOverseasRate",
        "home !== 'FR' ? frenchOverseasRate",
        'the rates overseas are of French law',
      ],
      ['if (company.isSmallBusiness) return exempt()', '', 'a small business charges no VAT'],
      [
        'if (overseas && company.isSmallBusiness) return exempt()',
        '',
        'a small business in France charges none in its departments overseas',
      ],
      ['dayIn(sold_at, timeZone)),', "'2026-11-21'),", 'the standing is that of the day of the sale'],
    ],
  ),
  ...inFile(
    'features/invoices/server/consumers.ts',
    ['features/invoices/server/vat.test.ts'],
    [["(kind === 'outside_eu' &&", "(kind === 'oss' &&", 'consumers of a territory keep their rights']],
  ),
  ...inFile(
    'features/invoices/server/small-business.ts',
    ['features/invoices/server/vat.test.ts'],
    [
      ['from <= day &&', '', 'nobody is a small business before the day that they named'],
      ['(until === undefined || day <= until)', 'true', 'the standing ends with its last day'],
    ],
  ),
  ...inFile(
    'features/invoices/server/company.ts',
    ['features/invoices/server/vat.test.ts'],
    [
      [
        'values.SMALL_BUSINESS && !knowsSmallBusiness(country)',
        'false',
        'no seller starts with a standing that no law knows',
      ],
      [
        '!values.COMPANY_VAT_ID && euCountries.includes(values.COMPANY_COUNTRY)',
        'false',
        'the start says what a seller without a VAT id cannot do',
      ],
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
    'features/invoices/server/keeping.ts',
    ['features/invoices/server/invoices.test.ts'],
    [
      ["vat_kind === 'oss' ? OF_ONE_STOP_SHOP : 0", '0', 'the one-stop shop wants ten years'],
      ['invoiceYears[country] ?? OTHERWISE', 'OTHERWISE', 'the years are those of the seller’s law'],
    ],
  ),
  ...inFile(
    'features/invoices/server/keeping-queries.ts',
    ['features/operations/server/system.test.ts'],
    [['and not is_on_hold(i.issued_at, i.issued_at) order', 'order', 'what an audit holds is not erased']],
  ),
  ...inFile(
    'features/support/tickets/server/erase-queries.ts',
    ['features/operations/server/system.test.ts'],
    [
      [
        'where user_id = ${user_id} and not is_on_hold(created_at, last_message_at)',
        'where user_id = ${user_id}',
        'an account that is deleted takes no ticket from an audit',
      ],
      [
        'and not is_on_hold(tickets.created_at, tickets.last_message_at)',
        '',
        'a ticket goes when no hold keeps it any more',
      ],
    ],
  ),
  ...inFile(
    'features/support/files/server/file-queries.ts',
    ['features/operations/server/system.test.ts'],
    [
      [
        '(ticket_id is null or not is_on_hold(created_at, created_at))',
        'true',
        'an account that is deleted takes no file from an audit',
      ],
    ],
  ),
  ...inFile(
    'features/invoices/server/nameless.ts',
    ['features/licences/server/buyer-address.test.ts'],
    [
      ['limits[country] ?? (', '(', 'the limit is that of the law of the seller'],
      ['code === currency) ??', 'true) ??', 'an amount of another currency is no limit'],
    ],
  ),
]
