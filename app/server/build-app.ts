import os from 'node:os'
import pg from 'pg'
import type { App } from '#foundation/server/app.ts'
import type { Config } from '#foundation/server/config.ts'
import { createDb, createPool } from '#foundation/server/database/pool.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { deriveKeys } from '#foundation/server/keys.ts'
import { lifetimes, type Lifetimes } from '#foundation/server/lifetimes.ts'
import type { Log } from '#foundation/server/log.ts'
import { openStorage } from '#foundation/server/storage/storage.ts'
import { findByAgentToken } from '#features/hosts/server/hosts.ts'
import { firstNameOf } from '#features/profile/server/profile.ts'
import { eventBodies, reactions } from './features.ts'

/**
 * Opens the pools over a migrated database. `ownerUrl` names the owner of the schema; the application itself runs as
 * the role `hostdesk_app` where the owner could make it.
 */
export async function buildApp(
  config: Config,
  { ownerUrl, log, lifetimes: changed }: { ownerUrl: string; log: Log; lifetimes?: Partial<Lifetimes> },
): Promise<App> {
  const pool = createPool({
    url: ownerUrl,
    role: await applicationRole(ownerUrl),
    max: poolSize(),
    acquire_timeout_ms: 3_000,
  })
  const db = createDb(pool)
  return {
    config,
    lifetimes: { ...lifetimes, session_longest_s: config.sessionDays * 86_400, ...changed },
    log,
    keys: deriveKeys(config.secretKey),
    db,
    pool,
    ownerUrl,
    reactions,
    eventBodies,
    storage: openStorage(config),
    findAgent: findByAgentToken,
    firstNameOf,
    close: () => db.destroy(),
  }
}

// A connection does one thing at a time; more of them than this only take turns on the database's cores.
const poolSize = () => Math.min(20, 4 + 4 * os.availableParallelism())

/** The role without rights of its own, where the operator's database user was allowed to make it and may act as it. */
async function applicationRole(ownerUrl: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('set role hostdesk_app')
    return 'hostdesk_app'
  } catch (error) {
    if (isUnavailable(error)) throw error
    return undefined
  } finally {
    await client.end()
  }
}
