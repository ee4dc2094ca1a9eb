import { buildApp } from '#app/server/build-app.ts'
import type { App } from '#foundation/server/app.ts'
import { assertKey } from '#foundation/server/key-change/assert-key.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import type { CommandEnvironment } from './environment.ts'

/** Migrates the database, does the work with an app, and closes the app's connections afterwards. */
export async function withApp<Result>(
  { config, log, ownerUrl }: CommandEnvironment,
  work: (app: App) => Promise<Result>,
): Promise<Result> {
  await migrate(ownerUrl, { acceptNewer: config.acceptNewerDatabase })
  const app = await buildApp(config, { ownerUrl, log })
  try {
    await assertKey(app)
    return await work(app)
  } finally {
    await app.close()
  }
}
