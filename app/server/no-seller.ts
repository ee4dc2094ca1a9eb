import { ConfigError } from '#foundation/server/config-error.ts'
import type { App } from '#foundation/server/app.ts'
import { hasSold } from '#features/licences/server/licences.ts'

/** The warning that the start in production and `hostdesk doctor` print while invoices would lack who sells. */
export const NO_SELLER =
  'No seller: nothing is invoiced. An owner fills in the page Company, /account/staff-company, or set COMPANY_NAME and the other settings of the company.'

/**
 * Throws ConfigError if the settings of the company have gone from an installation that has sold: its renewals would fail, and customers would
 * be told so.
 */
export async function assertSellerOfSales({ config, db }: App): Promise<void> {
  if (config.company.isIncomplete && (await hasSold(db)))
    throw new ConfigError([
      'COMPANY_NAME, COMPANY_STREET, COMPANY_ZIP, COMPANY_CITY, and COMPANY_VAT_ID or COMPANY_TAX_NUMBER must be set as they were: this installation has sold, and its renewals are invoiced.',
    ])
}
