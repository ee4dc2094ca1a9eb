import { createEgress, type Egress } from '#foundation/server/egress/egress.ts'
import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { optional } from '#foundation/server/setting.ts'
import { networks } from '#foundation/server/setting-kinds.ts'

const settings = {
  WEBHOOK_ALLOW_NETWORKS: optional(
    'Private networks that webhooks may lead to, separated by commas, as 10.20.0.0/16. Unset: public addresses only.',
    networks(),
  ),
}

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** The way to URLs that customers gave. */
    egress: Egress
  }
}

export const webhookSettings = {
  settings,
  read: ({ WEBHOOK_ALLOW_NETWORKS: opened }: FeatureValues<typeof settings>) => ({
    egress: createEgress({ opened }),
  }),
}
