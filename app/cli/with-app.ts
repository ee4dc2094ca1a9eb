import { buildApp } from '#app/server/build-app.ts'
import type { App } from '#foundation/server/app.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import type { CommandEnvironment } from './environment.ts'

/** Does the work with an app on the current schema, and closes what it holds open afterwards. */
export async function withApp<Result>(
  { config, log, ownerUrl }: CommandEnvironment,
  work: (app: App) => Promise<Result>,
): Promise<Result> {
  await migrate(ownerUrl)
  const app = await buildApp(config, { ownerUrl, log })
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}
