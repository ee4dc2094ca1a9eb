import {
  companyOf,
  impossibleCompany,
  incompleteCompany,
  missingImprint,
  unsafeCompany,
  type Company,
} from './company.ts'
import { settings, type Values } from './company-settings.ts'
import { off, recorded, type VatIdSource } from './vat-id-source.ts'
import { vies } from './vies.ts'

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** The issuer of the invoices. */
    company: Company
    /** The authority that is asked about VAT IDs. */
    vatIds: VatIdSource
  }
}

/** The settings of the operator's company, of its invoices, and of the check of VAT IDs. */
export const invoiceSettings = {
  settings,
  read: (values: Values, production: boolean) => ({
    company: companyOf(values, production),
    vatIds: vatIdsOf(values, production),
  }),
  impossible: impossibleCompany,
  unsafe: unsafeCompany,
  warnings: incompleteCompany,
  missing: missingImprint,
}

/** Returns the source that VAT_CHECK names. Without it only production asks an authority: a demo has recorded answers. */
function vatIdsOf({ VAT_CHECK, DEMO }: Values, production: boolean): VatIdSource {
  const otherwise = DEMO === 'off' ? 'off' : 'recorded'
  const chosen = VAT_CHECK ?? (production ? 'vies' : otherwise)
  return { vies: vies(), recorded, off }[chosen]
}
