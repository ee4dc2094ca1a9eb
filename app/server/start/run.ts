import { ConfigError } from '#foundation/server/config-error.ts'
import type { Config } from '#foundation/server/config.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import { inspectDatabase } from '#foundation/server/database/safety.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import type { Log } from '#foundation/server/log.ts'
import { countStaff, exampleAccounts } from '#foundation/server/session/session.ts'
import { lacksPlan } from '#features/licences/server/licences.ts'
import { NO_OWNER } from '../no-owner.ts'
import { NO_PLAN } from '../no-plan.ts'
import { assertSellerOfSales, NO_SELLER } from '../no-seller.ts'
import { examplesRefused } from '../example-accounts.ts'
import { assertKey } from '#foundation/server/key-change/assert-key.ts'
import type { App } from '#foundation/server/app.ts'
import { buildApp } from '../build-app.ts'
import { buildHealthServer, drain } from '../health.ts'
import { describePortError } from '../port.ts'
import { buildServer } from '../server.ts'
import { startWorker } from '../worker.ts'
import { startTraces } from '#foundation/server/operation/start-traces.ts'
import { installationOf } from '../installation.ts'
import { tryBackupFolder } from '#foundation/server/backup/try-folder.ts'
import { releaseMemoryOfStart, releaseMemoryOfStorms } from './release-memory.ts'
import { greeting } from './greeting.ts'
import { assertNobodyLockedOut } from './locked-out.ts'
import { stopOnSignals } from './stop.ts'
import { announceReady, announceStop } from './supervisor.ts'
import { followKeptSettings } from '#foundation/server/kept-settings/kept-settings.ts'
import { describeStreamLimit } from '#foundation/server/realtime/hub.ts'

export type RunOptions = { config: Config; log: Log; ownerUrl: string; stopDatabase(): Promise<void> }

/** Does everything from the migrations to the greeting. Returns once requests are answered; the process then stops on SIGTERM. */
export async function run({ config, log, ownerUrl, stopDatabase }: RunOptions): Promise<void> {
  await inspectDatabase(ownerUrl, config)
  await migrate(ownerUrl, { acceptNewer: config.acceptNewerDatabase })
  if (config.production) await refuseExamples(ownerUrl)
  const stopTraces = await startTraces(process.env, { log, version: installationOf({ config }).version })
  const app = await buildApp(config, { ownerUrl, log })
  await assertStart(app, log).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  if (config.company.isIncomplete) log.warn(NO_SELLER)
  if (await lacksPlan(app.db, config)) log.warn(NO_PLAN)
  // Production loads no example data.
  const demo = config.demo ? await (await import('#app/seed/seed-demo.ts')).seedDemo(app) : undefined
  if ((await withConnection(ownerUrl, countStaff)).owners === 0) log.warn(NO_OWNER)
  await tryBackupFolder(app)
  const stopFollowing = followKeptSettings(app)
  const more = config.demo ? [(await import('#app/seed/demo-agent.ts')).demoAgent] : []
  const worker = config.role === 'web' ? undefined : await startWorker(app, more)
  const server = config.role === 'worker' ? buildHealthServer(app) : await buildServer(app)
  try {
    await server.listen({ port: config.port, host: config.host })
  } catch (error) {
    await worker?.stop()
    await app.close()
    throw new ConfigError([describePortError(error, config)])
  }
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const fewStreams = config.role === 'worker' ? undefined : describeStreamLimit()
  if (fewStreams !== undefined) log.warn(fewStreams)
  log.info({ port, role: config.role, pid: process.pid }, 'ready')
  log.flush()
  announceReady()
  releaseMemoryOfStart()
  releaseMemoryOfStorms(app)
  process.stdout.write(greeting({ config, port, demo }))

  stopOnSignals(app, async () => {
    announceStop()
    // Under `npm run dev` there is no load balancer, and a developer waits for the restart.
    if (!process.argv.includes('--without-drain')) await drain(server)
    await server.close()
    await worker?.stop()
    await stopTraces()
    stopFollowing()
    await app.close()
    await stopDatabase()
  })
}

/** Does the checks that need the application. Throws ConfigError if it must not begin its work. */
async function assertStart(app: App, log: Log): Promise<void> {
  const isChanging = await assertKey(app)
  if (isChanging) log.warn('SECRET_KEY is new: run `hostdesk keys reseal`, then remove SECRET_KEY_OLD')
  await assertNobodyLockedOut(app)
  await assertSellerOfSales(app)
}

/** Throws ConfigError if there are example accounts: a trial must not go live with passwords that everybody knows (rule 39). */
async function refuseExamples(ownerUrl: string): Promise<void> {
  const emails = await withConnection(ownerUrl, exampleAccounts)
  if (emails.length > 0) throw new ConfigError([examplesRefused(emails)])
}
