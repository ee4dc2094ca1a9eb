import { loadConfig } from '#app/server/config.ts'
import { bringTextsUpToDate } from '#app/server/start/up-to-date.ts'
import type { Config } from '#foundation/server/config.ts'
import { findPrimary } from '#foundation/server/database/primary.ts'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { createLog } from '#foundation/server/log.ts'
import type { Log } from '#foundation/server/log.ts'

/** The environment of every command: the same settings and the same database as `npm start` with these variables. */
export type CommandEnvironment = {
  config: Config
  log: Log
  ownerUrl: string
  /** The URL of the superuser; only the embedded PostgreSQL has one. */
  adminUrl?: string
  close(): Promise<void>
}

/** Connects to the operator's PostgreSQL, or to the embedded one, which is started for the command if the product does not run. */
export async function createEnvironment({ withDatabase = true } = {}): Promise<CommandEnvironment> {
  const config = loadConfig(process.env)
  await bringTextsUpToDate()
  const log = createLog({ level: 'warn' })
  const own = config.directDatabaseUrl ?? config.databaseUrl
  for (const url of [config.databaseUrl, own]) if (url) await findPrimary(url.reveal())
  if (own) return { config, log, ownerUrl: own.reveal(), close: async () => {} }
  if (!withDatabase) return { config, log, ownerUrl: '', close: async () => {} }
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  const { url: ownerUrl, adminUrl, stop: close } = embedded
  return { config, log, ownerUrl, adminUrl, close }
}
