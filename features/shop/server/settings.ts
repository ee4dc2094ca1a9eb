import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { optional } from '#foundation/server/setting.ts'
import { onOff } from '#foundation/server/setting-kinds.ts'

const settings = {
  SHOP: optional(
    'Public pages at /shop/ with products and prices, where strangers buy without an account; on with the demo customers, else off.',
    onOff(),
  ),
}

type Values = FeatureValues<typeof settings>

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** True if the public pages of the shop are served. */
    shop: boolean
  }
}

/** The shop is off unless the operator wants it: it publishes prices, and lets strangers make accounts by paying. */
export const shopSettings = {
  settings,
  read: ({ SHOP, DEMO }: Values, production: boolean) => ({
    shop: SHOP ?? (DEMO ?? (production ? 'off' : 'on')) !== 'off',
  }),
}
