import os from 'node:os'
import type { ClientBase } from 'pg'
import type { App } from '#foundation/server/app.ts'
import type { Config } from '#foundation/server/config.ts'
import { createDb, createPool, type PoolSettings } from '#foundation/server/database/pool.ts'
import { wayToDatabase } from '#foundation/server/database/pooler.ts'
import { logReplica, openReplica } from '#foundation/server/database/replica.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { readRetiredDigests } from '#foundation/server/key-change/retired-digests.ts'
import { permissionsIn } from '#foundation/server/http/policies.ts'
import { takeKeptSettings } from '#foundation/server/kept-settings/kept-settings.ts'
import { deriveKeys } from '#foundation/server/keys.ts'
import { lifetimes, type Lifetimes } from '#foundation/server/lifetimes.ts'
import type { Log } from '#foundation/server/log.ts'
import { openStorage } from '#foundation/server/storage/storage.ts'
import { viewPermission } from '#features/customers/contract.ts'
import { mergedInto } from '#features/customers/server/customers.ts'
import { findByAgentToken } from '#features/hosts/server/hosts.ts'
import { propose } from '#features/assistants/server/assistants.ts'
import { findActing, findProgram, grantsHeld, uncount } from '#features/sharing/server/sharing.ts'
import { assertNotOwn, firstNameOf, mayBeOne } from '#features/profile/server/profile.ts'
import { isSuspended } from '#features/support/server/support.ts'
import { findRobot, isInvited } from '#features/team/server/team.ts'
import {
  approvable,
  eventBodies,
  namedThings,
  ownedThings,
  personalData,
  published,
  reactions,
  routes,
} from './features.ts'

/** The functions that the foundation calls, from the features that own the things they know. */
const ofFeatures = {
  findAgent: findByAgentToken,
  findProgram,
  findRobot,
  findActing,
  uncount,
  grantsHeld,
  firstNameOf,
  assertNotOwn,
  mayBeOne,
  isInvited,
  isSuspended,
  mergedInto,
  viewPermission,
}

type AppOptions = {
  ownerUrl: string
  log: Log
  lifetimes?: Partial<Lifetimes>
  /** A request that waits longer for a connection is answered with 503. */
  acquire_timeout_ms?: number | undefined
  limits?: PoolSettings['limits']
}

/**
 * Opens the connection pools to a migrated database. `ownerUrl` connects as the owner of the schema; the application itself runs as
 * the role `hostdesk_app` if the owner could make this role.
 */
export async function buildApp(
  config: Config,
  { ownerUrl, log, lifetimes: changed, acquire_timeout_ms = 3_000, limits }: AppOptions,
): Promise<App> {
  const way = await wayToDatabase(config)
  const url = config.databaseUrl?.reveal() ?? ownerUrl
  const keys = deriveKeys(config.secretKey, config.formerSecretKey)
  // The keys are read first: the connection has the rights of the role afterwards.
  const { retiredDigests, role } = await withConnection(ownerUrl, async (client) => ({
    retiredDigests: await readRetiredDigests(keys, client),
    role: await applicationRole(client),
  }))
  const settings = {
    max: poolSize(),
    acquire_timeout_ms,
    limits,
    slow: { log, slow_ms: config.slowStatement_ms },
  }
  const pool = createPool({
    ...settings,
    url,
    // A pooler in transaction mode keeps no `set role`: it connects as a user that has only the rights of this role.
    role: way.kind === 'transaction' ? undefined : role,
    way,
  })
  const db = createDb(pool, url)
  await takeKeptSettings(config, db).catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  const beforeClose: App['beforeClose'] = new Set()
  const readUrl = config.role === 'worker' ? undefined : config.readDatabaseUrl?.reveal()
  const tell = logReplica(log)
  const replica = readUrl ? openReplica(db, { ...settings, url: readUrl, role, tell }) : undefined
  return {
    config,
    lifetimes: { ...lifetimes, session_longest_s: config.sessionDays * 86_400, ...changed },
    log,
    // With the hash keys of earlier SECRET_KEYs that the present key can open. A wrong SECRET_KEY fails the start later.
    keys: { ...keys, retiredDigests },
    db,
    pool,
    replica,
    ownerUrl,
    reactions,
    personalData,
    published,
    eventBodies,
    namedThings,
    ownedThings,
    permissions: permissionsIn(routes.map(({ contract }) => contract)),
    approvable,
    tools: routes.map(({ contract }) => contract).filter(({ tool }) => tool !== undefined),
    propose,
    storage: openStorage(config),
    ...ofFeatures,
    beforeClose,
    close: () =>
      writeGathered({ beforeClose }).then(async () => {
        await replica?.close()
        await db.destroy()
      }),
  }
}

/** Writes what a process has gathered in its memory. It may be called again. */
export async function writeGathered({ beforeClose }: Pick<App, 'beforeClose'>): Promise<void> {
  for (const write of beforeClose) await write()
}

// A connection runs one query at a time. With more connections than this, queries would only wait for the cores of the database.
const poolSize = () => Math.min(20, 4 + 4 * os.availableParallelism())

/** Returns the name of the restricted role; undefined if the operator's database user could not make it or may not act as it. */
async function applicationRole(owner: ClientBase): Promise<string | undefined> {
  try {
    await owner.query('set role hostdesk_app')
    return 'hostdesk_app'
  } catch (error) {
    if (isUnavailable(error)) throw error
    return undefined
  }
}
