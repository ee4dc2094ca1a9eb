import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { optional } from '#foundation/server/setting.ts'
import { text } from '#foundation/server/setting-kinds.ts'

const settings = {
  SEPA_CREDITOR_ID: optional(
    'Your creditor identifier, or that of your payment provider, in notices of direct debits.',
    text('the creditor identifier'),
  ),
}

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** Named in the notice of a direct debit; null where it is not set. */
    sepaCreditorId: string | null
  }
}

export const autoTopUpSettings = {
  settings,
  read: ({ SEPA_CREDITOR_ID: id }: FeatureValues<typeof settings>) => ({ sepaCreditorId: id ?? null }),
}
