import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { setting } from '#foundation/server/setting.ts'
import { wholeNumber } from '#foundation/server/setting-kinds.ts'

const settings = {
  SUSPEND_AFTER_DAYS: setting(
    'How many days a balance may be negative after a chargeback before the servers it paid for are suspended; 0: never.',
    wholeNumber(0, 90, '7'),
    '7',
  ),
}

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** The days from the beginning of a debt to the suspension; null if no debt suspends anything. */
    suspendAfterDays: number | null
  }
}

export const licenceSettings = {
  settings,
  read: ({ SUSPEND_AFTER_DAYS: days }: FeatureValues<typeof settings>) => ({
    suspendAfterDays: days === 0 ? null : days,
  }),
}
