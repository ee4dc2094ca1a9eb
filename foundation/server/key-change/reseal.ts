import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { seal } from '#foundation/server/keys.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { contextOfDigests, retiredDigests } from './retired-digests.ts'
import { changeKey, knownKeys } from './queries.ts'
import type { Sealed } from './sealed.ts'

const BATCH = 200

/**
 * Seals again, with SECRET_KEY, everything that SECRET_KEY_OLD sealed, a few rows at a time while the product runs. Then makes SECRET_KEY
 * the key of the database. Returns the number of rows of each kind. After a kill half-way it can be run again.
 */
export async function resealAll(
  app: App,
  kinds: readonly Sealed[],
): Promise<{ what: string; rows: number }[]> {
  const done: { what: string; rows: number }[] = []
  for (const { what, reseal } of kinds) {
    let rows = 0
    for (;;) {
      const resealed = await transaction(app, 'system', (tx) => reseal(app, tx, BATCH))
      rows += resealed
      if (resealed < BATCH) break
    }
    done.push({ what, rows })
  }
  await withConnection(app.ownerUrl, async (client) => {
    const kept = new Map(retiredDigests(app.keys, await knownKeys(client)))
    if (app.keys.former) kept.set(app.keys.former.fingerprint, app.keys.former.digests)
    kept.delete(app.keys.fingerprint)
    const sealed = [...kept].map(
      ([name, digests]) =>
        [name, seal(app.keys, Buffer.from(digests).toString('base64url'), contextOfDigests(name))] as const,
    )
    await client.query('begin')
    await changeKey(client, app.keys.fingerprint, new Map(sealed))
    await client.query('commit')
  })
  return done
}
