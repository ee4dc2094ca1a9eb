import { ConfigError } from '#foundation/server/config-error.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { loadConfig } from '#app/server/config.ts'
import type { Config } from '#foundation/server/config.ts'
import { createLog } from '#foundation/server/log.ts'
import { tolerateLostOutput } from '#foundation/server/log-output.ts'
import type { Log } from '#foundation/server/log.ts'
import { assertPortFree } from '../port.ts'
import { bringPagesUpToDate, bringTextsUpToDate } from './up-to-date.ts'

/**
 * Starts the product: settings, build, database, then the server. On a failure it prints why and ends the process. This file
 * imports little on purpose: settings are judged, and the texts compiled, before the server's code is loaded.
 */
export async function start(): Promise<void> {
  tolerateLostOutput()
  try {
    await startAll()
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`)
    process.exit(1)
  }
}

async function startAll(): Promise<void> {
  const config = loadConfig(process.env)
  for (const line of config.warnings) process.stderr.write(`hostdesk: ${line}\n`)
  assertNotRoot(config)
  await assertPortFree(config)
  const log = createLog({ level: config.logLevel, role: config.role })
  const database = openDatabase(config, log)
  // The promise is awaited below, after the build; until then its rejection must not count as unhandled.
  database.catch(() => {})
  try {
    // Vite serves the pages itself in `npm run dev`.
    if (process.argv.includes('--without-pages')) await bringTextsUpToDate()
    else await bringPagesUpToDate((line) => process.stderr.write(`hostdesk: ${line}\n`))
    const [{ run }, { ownerUrl, stop }] = await Promise.all([import('./run.ts'), database])
    await run({ config, log, ownerUrl, stopDatabase: stop })
  } catch (error) {
    const opened = await database.catch(() => undefined)
    await opened?.stop()
    throw error
  }
}

/** Refuses production as root: an attacker who takes over the process would have the whole machine. A trial may run as root. */
function assertNotRoot({ production, mayRunAsRoot }: Config): void {
  if (production && !mayRunAsRoot && process.getuid?.() === 0)
    throw new ConfigError([
      'It runs as root, and nothing that it does needs that. Start it as another user, or set RUN_AS_ROOT=on.',
    ])
}

type OpenDatabase = { ownerUrl: string; stop(): Promise<void> }

/** Opens the operator's PostgreSQL, or else the embedded one. */
async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const own = config.directDatabaseUrl ?? config.databaseUrl
  if (own) {
    const { findPrimary } = await import('#foundation/server/database/primary.ts')
    for (const url of [config.databaseUrl, own]) if (url) await findPrimary(url.reveal())
    return { ownerUrl: own.reveal(), stop: async () => {} }
  }
  const { startEmbedded } = await import('#foundation/server/database/embedded.ts')
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  return { ownerUrl: embedded.url, stop: embedded.stop }
}

/** Returns the lines to print for an error. A stack trace is added only for developers, who set LOG_LEVEL to debug or trace. */
function describe(error: unknown): string {
  const lines = errorLines(error).map((line) => `hostdesk: ${line}`)
  const isForDevelopers = ['debug', 'trace'].includes(process.env['LOG_LEVEL'] ?? '')
  if (isForDevelopers && error instanceof Error && !(error instanceof ConfigError))
    lines.push(error.stack ?? '')
  return lines.join('\n')
}
