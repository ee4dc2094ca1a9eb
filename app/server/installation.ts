import * as z from 'zod/mini'
import { readFileSync } from 'node:fs'
import type { App } from '#foundation/server/app.ts'
import type { Installation } from '#app/server/openapi/document.ts'

/** This installation, as the API document describes it. */
export const installationOf = ({ config }: Pick<App, 'config'>): Installation => ({
  origin: config.publicOrigin,
  version: versionOf(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
  name: config.operator.name,
  email: config.operator.supportEmail,
})

const versionOf = (text: string): string => z.object({ version: z.string() }).parse(JSON.parse(text)).version
