import { isDay } from '#foundation/fields.ts'
import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { optional, setting } from '#foundation/server/setting.ts'
import { plainVatId } from '#features/profile/rules.ts'
import { territoryCodes } from './territories.ts'
import { choice, kind, mailbox, text } from '#foundation/server/setting-kinds.ts'
import type { SmallBusinessTime } from './small-business.ts'

const country = () =>
  kind('is no country code. Set it like DE', (given) => (/^[A-Z]{2}$/.test(given) ? given : undefined))

const vatId = () =>
  kind('is no VAT ID. Set it like DE123456789', (given) => {
    const plain = plainVatId(given)
    return plain === '' || /^[A-Z]{2}[A-Z\d+*]{2,28}$/.test(plain) ? plain : undefined
  })

const invoicePrefix = () =>
  kind('is no prefix. Set it to 1 to 8 capital letters and digits, like HD', (given) =>
    /^[A-Z\d]{1,8}$/.test(given) ? given : undefined,
  )

/** Rates in basis points by country or territory: `DE=19,CH=8.1` is 1900n and 810n. */
const vatRates = () =>
  kind('is no list of rates. Set it like DE=19,CH=8.1', (given) => {
    const rates = new Map<string, bigint>()
    for (const entry of given.split(',')) {
      const [, code, percent, hundredths = ''] =
        /^([A-Z]{2}(?:-[A-Z\d]{1,12})?)=(\d{1,2})(?:\.(\d{1,2}))?$/.exec(entry.trim()) ?? []
      if (!code || !percent) return undefined
      if (code.includes('-') && !territoryCodes.includes(code)) return undefined
      rates.set(code, BigInt(percent + hundredths.padEnd(2, '0')))
    }
    return rates
  })

/** Times by their first and last days: `2024-01-01..2025-06-30,2027-01-01..`; only the last may have no end. */
const times = () =>
  kind('is no list of times. Set it like 2026-01-01.. or 2024-01-01..2025-06-30', (given) => {
    const found: SmallBusinessTime[] = []
    for (const entry of given.split(',')) {
      const [, from = '', until] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)?$/.exec(entry.trim()) ?? []
      const last = found.at(-1)
      if (!isDay(from) || (last && (last.until === undefined || last.until >= from))) return undefined
      if (until !== undefined && (!isDay(until) || until < from)) return undefined
      found.push({ from, until })
    }
    return found
  })

export const settings = {
  COMPANY_NAME: optional(
    'Who issues the invoices. Unset: a made-up company, not in production.',
    text('a name'),
  ),
  COMPANY_STREET: setting('Street and number on invoices.', text('street and number'), ''),
  COMPANY_ZIP: setting('Postal code on invoices.', text('a postal code'), ''),
  COMPANY_CITY: setting('City on invoices.', text('a city'), ''),
  COMPANY_COUNTRY: setting('Where you are taxed, as DE.', country(), 'DE'),
  COMPANY_VAT_ID: setting('Your VAT ID, as DE123456789.', vatId(), ''),
  COMPANY_TAX_NUMBER: setting(
    'Your tax number, where you have no VAT ID or print both.',
    text('a number'),
    '',
  ),
  COMPANY_REGISTER: setting('Your entry in the commercial register.', text('an entry'), ''),
  COMPANY_IBAN: setting('Your bank account on invoices.', text('an IBAN'), ''),
  COMPANY_BIC: setting('Its bank.', text('a BIC'), ''),
  COMPANY_EMAIL: optional(
    'Where questions about invoices go; SUPPORT_EMAIL or the sender of mails unless set.',
    mailbox('billing@example.com'),
  ),
  COMPANY_PHONE: setting('A telephone number on invoices.', text('a number'), ''),
  INVOICE_PREFIX: setting('What invoice numbers begin with.', invoicePrefix(), 'HD'),
  SMALL_BUSINESS: optional(
    'The times in which you are a small business and charge no VAT (in Germany: section 19 of the VAT Act), by their first and last days, as 2026-01-01.. while it has no end.',
    times(),
  ),
  VAT_EU_CONSUMERS: optional(
    'there or threshold: where consumers elsewhere in the EU are taxed. there: by the one-stop shop from the first sale; threshold: at home while such sales are up to 10,000 EUR a year. Unset: there, and threshold for a small business.',
    choice('there', 'threshold'),
  ),
  VAT_CHECK: optional(
    'vies, recorded or off: who is asked about VAT IDs from elsewhere in the EU? Unset: vies with NODE_ENV=production; else answers of the demo, or nobody.',
    choice('vies', 'recorded', 'off'),
  ),
  VAT_RATES: optional(
    'Standard VAT rates that differ from the built-in ones of the EU, as DE=19,CH=8.1; of a territory by its code, as PT-30=22 (Madeira), PT-20 (Azores), AT-JUNGHOLZ, AT-MITTELBERG.',
    vatRates(),
  ),
}

export type Values = FeatureValues<typeof settings>
