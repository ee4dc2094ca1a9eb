import { buildApp } from '#app/server/build-app.ts'
import { rotateKey, withdrawKey } from '#features/licences/server/signing-keys.ts'
import type { App } from '#foundation/server/app.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import type { Surroundings } from './surroundings.ts'

export const rotate = (surroundings: Surroundings) =>
  withApp(surroundings, async (app) => {
    process.stdout.write(`Licence documents are signed with the key ${await rotateKey(app)} now.\n`)
  })

/** Throws Error for a key that is unknown. */
export const withdraw = (surroundings: Surroundings, kid: string) =>
  withApp(surroundings, async (app) => {
    if (!(await withdrawKey(app, kid))) throw new Error(`There is no signing key ${kid}.`)
    process.stdout.write(
      `The key ${kid} is withdrawn. Agents fetch another licence document with their next check-in.\n`,
    )
  })

async function withApp(
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
