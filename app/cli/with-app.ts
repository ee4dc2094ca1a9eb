import { buildApp } from '#app/server/build-app.ts'
import type { App } from '#foundation/server/app.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import type { Surroundings } from './environment.ts'

/** Does the work with an app on the current schema, and closes what it holds open afterwards. */
export async function withApp(
  { config, log, ownerUrl }: Surroundings,
  work: (app: App) => Promise<void>,
): Promise<void> {
  await migrate(ownerUrl)
  const app = await buildApp(config, { ownerUrl, log })
  try {
    await work(app)
  } finally {
    await app.close()
  }
}
