import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { setting } from '#foundation/server/setting.ts'
import { choice } from '#foundation/server/setting-kinds.ts'
import * as z from 'zod/mini'

const settings = {
  ASSISTANTS: setting(
    'on: assistants read and propose by /mcp, with the tokens of customers and of robots; a person confirms each proposal.',
    z._default(choice('on', 'off'), 'off'),
    'off',
  ),
}

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** True if assistants are answered at /mcp. */
    assistants: boolean
  }
}

export const assistantSettings = {
  settings,
  read: ({ ASSISTANTS }: FeatureValues<typeof settings>) => ({ assistants: ASSISTANTS === 'on' }),
}
