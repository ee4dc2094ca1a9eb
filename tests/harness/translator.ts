import type { BrowserContext } from '@playwright/test'
import { startTranslator } from '#tests/web/translator.ts'

/** Starts a translator in all pages of a context. A text that is no longer changed shows, since the words stay as they are. */
export const translate = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(startTranslator, ['', ''] as const)
