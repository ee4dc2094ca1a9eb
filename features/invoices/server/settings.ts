import { companyOf, impossibleCompany, incompleteCompany, unsafeCompany, type Company } from './company.ts'
import { settings, type Values } from './company-settings.ts'

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** The issuer of the invoices. */
    company: Company
  }
}

/** The operator as a company, and the settings of its invoices. */
export const invoiceSettings = {
  settings,
  read: (values: Values) => ({ company: companyOf(values) }),
  impossible: impossibleCompany,
  unsafe: unsafeCompany,
  warnings: incompleteCompany,
}
