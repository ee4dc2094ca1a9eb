import { webhookSettings } from '#features/webhooks/server/settings.ts'
import { autoTopUpSettings } from '#features/auto-top-ups/server/settings.ts'
import { assistantSettings } from '#features/assistants/server/settings.ts'
import { booksSettings } from '#features/books/server/settings.ts'
import { financeSettings } from '#features/finance/server/settings.ts'
import { draftingSettings } from '#features/drafting/server/settings.ts'
import { invoiceSettings } from '#features/invoices/server/settings.ts'
import { licenceSettings } from '#features/licences/server/settings.ts'
import { mailInSettings } from '#features/support/mail/server/settings.ts'
import { shopSettings } from '#features/shop/server/settings.ts'
import { readConfig, type Config } from '#foundation/server/config.ts'
import type { FeatureSettings } from '#foundation/server/feature-settings.ts'
import { settings as installation } from '#foundation/server/settings.ts'

/** The settings of features, in the order of features/README.md. */
const features: readonly FeatureSettings[] = [
  financeSettings,
  autoTopUpSettings,
  invoiceSettings,
  webhookSettings,
  licenceSettings,
  draftingSettings,
  mailInSettings,
  shopSettings,
  booksSettings,
  assistantSettings,
]

/**
 * Every setting by its name in the environment. The type is written out, so that the emitted declarations keep the imports of the
 * features' settings: through these imports other TypeScript projects see the properties that the features add to `Config`.
 */
export const settings: typeof installation &
  typeof financeSettings.settings &
  typeof autoTopUpSettings.settings &
  typeof invoiceSettings.settings &
  typeof webhookSettings.settings &
  typeof licenceSettings.settings &
  typeof draftingSettings.settings &
  typeof mailInSettings.settings &
  typeof shopSettings.settings &
  typeof booksSettings.settings &
  typeof assistantSettings.settings = {
  ...installation,
  ...financeSettings.settings,
  ...autoTopUpSettings.settings,
  ...invoiceSettings.settings,
  ...webhookSettings.settings,
  ...licenceSettings.settings,
  ...draftingSettings.settings,
  ...mailInSettings.settings,
  ...shopSettings.settings,
  ...booksSettings.settings,
  ...assistantSettings.settings,
}

/** Reads the configuration from an environment; throws ConfigError with one line for each bad setting. */
export const loadConfig = (env: NodeJS.ProcessEnv): Config => readConfig(env, features)
