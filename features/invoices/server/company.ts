import { countryCodes } from '#features/profile/rules.ts'
import type { Values } from './company-settings.ts'
import { euCountries } from './vat-rates.ts'
import { secondCurrency } from './state-currency.ts'
import { thresholdIn } from './threshold.ts'
import { knowsSmallBusiness, type SmallBusinessTime } from './small-business.ts'
import { vatPlaceOf } from './territories.ts'

/** The issuer of the invoices; unset values are ''. */
export type Company = {
  name: string
  street: string
  zip: string
  city: string
  /** ISO 3166-1. */
  country: string
  vatId: string
  taxNumber: string
  register: string
  iban: string
  bic: string
  email: string
  phone: string
  invoicePrefix: string
  /** True if COMPANY_NAME is not set, so that the company is an example, or in production nobody. */
  isMadeUp: boolean
  /** True in production until the company has all that an invoice must say: until then nothing is invoiced. */
  isIncomplete: boolean
  /** The operator's own VAT rates by country, in basis points; they take precedence over the built-in rates. */
  vatRates: ReadonlyMap<string, bigint>
  /** The times in which the operator is a small business, in their order. */
  smallBusiness: readonly SmallBusinessTime[]
  /** True if consumers elsewhere in the EU are taxed at home up to the threshold; a small business does so anyway. */
  usesThreshold: boolean
}

/**
 * Returns the operator's company. Without COMPANY_NAME its details are those of an example, since a mixture of set and made-up details
 * would describe no company, and in production it is nobody; only country, invoice prefix and VAT rates are always as set.
 */
export function companyOf(values: Values, production: boolean): Company {
  const common = {
    isIncomplete: production && lackingIn(values).length > 0,
    country: values.COMPANY_COUNTRY,
    invoicePrefix: values.INVOICE_PREFIX,
    vatRates: values.VAT_RATES ?? new Map<string, bigint>(),
    smallBusiness: values.SMALL_BUSINESS ?? [],
    usesThreshold: values.VAT_EU_CONSUMERS === 'threshold',
  }
  if (values.COMPANY_NAME === undefined && !production) return { ...madeUp, ...common, isMadeUp: true }
  return {
    ...common,
    isMadeUp: values.COMPANY_NAME === undefined,
    name: values.COMPANY_NAME ?? '',
    street: values.COMPANY_STREET,
    zip: values.COMPANY_ZIP,
    city: values.COMPANY_CITY,
    vatId: values.COMPANY_VAT_ID,
    taxNumber: values.COMPANY_TAX_NUMBER,
    register: values.COMPANY_REGISTER,
    iban: values.COMPANY_IBAN,
    bic: values.COMPANY_BIC,
    email: addressIn(values.COMPANY_EMAIL ?? values.SUPPORT_EMAIL ?? values.MAIL_FROM ?? ''),
    phone: values.COMPANY_PHONE,
  }
}

/** Returns the address in 'Billing <billing@example.com>': a mail's header may show the name, an invoice shows only the address. */
const addressIn = (mailbox: string): string => /<([^>]+)>$/.exec(mailbox)?.[1] ?? mailbox

// The numbers and the bank account are well-known examples that belong to nobody.
const madeUp = {
  name: 'Hostdesk Demo GmbH',
  street: 'Musterstraße 1',
  zip: '10115',
  city: 'Berlin',
  vatId: 'DE123456789',
  taxNumber: '12/345/67890',
  register: 'HRB 12345 B, Amtsgericht Charlottenburg',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  email: 'billing@hostdesk.invalid',
  phone: '+49 30 1234567',
}

/** Countries whose standard rates the product knows; vat-rates.ts holds them. */
const known = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

/** Returns a line for each setting without which no installation can work. */
export function* impossibleCompany(values: Values & { CURRENCY: string }): Generator<string> {
  const { COMPANY_COUNTRY: country } = values
  if (!known.includes(country) && !values.VAT_RATES?.has(country))
    yield `VAT_RATES lacks the rate of COMPANY_COUNTRY. Set it like ${country}=8.1.`
  // Rule 62: a seller there charges a tax of the territory, which the documents do not know.
  const { code, outside } = vatPlaceOf({ country, zip: values.COMPANY_ZIP, city: values.COMPANY_CITY })
  if (values.COMPANY_NAME !== undefined && outside)
    yield `COMPANY_ZIP lies in ${code}, outside of the VAT area of ${country}, and its tax is not known. No seller there can be set up.`
  if (values.SMALL_BUSINESS && !knowsSmallBusiness(country))
    yield `SMALL_BUSINESS is known for member states of the EU, and COMPANY_COUNTRY is ${country}. Remove it.`
  if (values.VAT_EU_CONSUMERS === 'threshold' && !euCountries.includes(country))
    yield `VAT_EU_CONSUMERS=threshold is for sellers in the EU, and COMPANY_COUNTRY is ${country}. Remove it.`
  if (values.VAT_EU_CONSUMERS === 'threshold' && thresholdIn(values.CURRENCY) === undefined)
    yield `VAT_EU_CONSUMERS=threshold has no amount in ${values.CURRENCY}. Remove it.`
  if (
    values.VAT_EU_CONSUMERS === 'there' &&
    values.SMALL_BUSINESS?.at(-1)?.until === undefined &&
    values.SMALL_BUSINESS
  )
    yield 'VAT_EU_CONSUMERS=there and SMALL_BUSINESS contradict each other: a small business charges no VAT by the one-stop shop from the first sale. Remove one.'
  if (!countryCodes.includes(country)) yield 'COMPANY_COUNTRY is no country of ISO 3166-1. Set it like DE.'
}

/** Returns the settings that a valid invoice lacks (VAT directive, article 226). */
const lackingIn = (values: Values): string[] => [
  ...(['COMPANY_NAME', 'COMPANY_STREET', 'COMPANY_ZIP', 'COMPANY_CITY'] as const).filter(
    (name) => !values[name],
  ),
  ...(values.COMPANY_VAT_ID || values.COMPANY_TAX_NUMBER ? [] : ['COMPANY_VAT_ID or COMPANY_TAX_NUMBER']),
]

/** Returns a line for each setting that production refuses. */
export function* unsafeCompany(values: Values): Generator<string> {
  if (values.VAT_CHECK === 'recorded')
    yield 'VAT_CHECK=recorded confirms VAT ids by answers of the demo. Set it to vies, or to off.'
}

/** Returns a line for each missing setting without which pages break a law, or no XRechnung can be made. */
export function* incompleteCompany(values: Values & { CURRENCY: string }): Generator<string> {
  const second = secondCurrency(values.COMPANY_COUNTRY, values.CURRENCY)
  if (second !== undefined)
    yield `CURRENCY is ${values.CURRENCY}, and your state wants VAT in ${second}: import the exchange rates each day, by hostdesk rates import. Nothing is sold with VAT without them.`
  if (values.COMPANY_NAME === undefined) return
  // VAT directive, articles 214 (1) (e) and 226 (3): with reverse charge the seller's own VAT id stands on the invoice.
  if (!values.COMPANY_VAT_ID && euCountries.includes(values.COMPANY_COUNTRY))
    yield 'COMPANY_VAT_ID is missing: invoices to businesses elsewhere in the EU, which owe the VAT themselves, must show one. Set it, or sell to none.'
  if (!values.COMPANY_PHONE)
    yield 'COMPANY_PHONE is missing: without it there is no XRechnung of any invoice. Set it.'
  if (!addressIn(values.COMPANY_EMAIL ?? values.SUPPORT_EMAIL ?? values.MAIL_FROM ?? ''))
    yield 'COMPANY_EMAIL is missing: without it there is no XRechnung of any invoice. Set it.'
}

/** § 5 DDG and § 5 ECG. */
export function* missingImprint(values: Values): Generator<string> {
  const isWanted = values.COMPANY_COUNTRY === 'DE' || values.COMPANY_COUNTRY === 'AT'
  if (values.COMPANY_NAME !== undefined && isWanted && !values.IMPRINT_URL)
    yield 'IMPRINT_URL is missing: in Germany and Austria every page needs a link to an imprint. Set it.'
}
