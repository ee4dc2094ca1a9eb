import type { App } from '#foundation/server/app.ts'
import { programVersion } from '#foundation/server/release.ts'
import type { Installation } from '#app/server/openapi/document.ts'

/** Returns the facts about this installation that the API document states. */
export const installationOf = ({ config }: Pick<App, 'config'>): Installation => ({
  origin: config.publicOrigin,
  version: programVersion,
  name: config.operator.name,
  email: config.operator.supportEmail,
})
