import type { AddressInfo } from 'node:net'
import { demoAgent } from '#database/cast/demo-agent.ts'
import { seedDemo } from '#database/cast/demo.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import type { Config } from '#foundation/server/config.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import { inspectDatabase } from '#foundation/server/database/safety.ts'
import type { Log } from '#foundation/server/log.ts'
import { buildApp } from '../build-app.ts'
import { buildHealthServer, drain } from '../health.ts'
import { describePortError } from '../port.ts'
import { buildServer } from '../server.ts'
import { startWorker } from '../worker.ts'
import { greeting } from './greeting.ts'

export type Surroundings = { config: Config; log: Log; ownerUrl: string; stopDatabase(): Promise<void> }

/** Everything from the migrations to the greeting; returns once requests are answered, and stops on SIGTERM. */
export async function run({ config, log, ownerUrl, stopDatabase }: Surroundings): Promise<void> {
  await inspectDatabase(ownerUrl, config)
  await migrate(ownerUrl)
  const app = await buildApp(config, { ownerUrl, log })
  const demo = config.demo ? await seedDemo(app) : undefined
  const worker = config.role === 'web' ? undefined : await startWorker(app, config.demo ? [demoAgent] : [])
  const server = config.role === 'worker' ? buildHealthServer(app) : await buildServer(app)
  try {
    await server.listen({ port: config.port, host: config.host })
  } catch (error) {
    await worker?.stop()
    await app.close()
    throw new ConfigError([describePortError(error, config)])
  }
  const { port } = server.server.address() as AddressInfo
  log.info({ port, role: config.role, pid: process.pid }, 'ready')
  log.flush()
  process.stdout.write(greeting({ config, port, demo }))

  stopOnSignals(log, async () => {
    await drain(server)
    await server.close()
    await worker?.stop()
    await app.close()
    await stopDatabase()
  })
}

const drain_timeout_ms = 25_000

/** SIGTERM and Ctrl-C finish what was begun; a second one, or 25 s, ends it at once. */
function stopOnSignals(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), drain_timeout_ms).unref()
    stop()
      .then(() => {
        log.info('stopped')
        process.exit(0)
      })
      .catch((error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      })
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  // What nobody caught leaves the process in a state nobody knows: say it, and let the supervisor start it anew.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
}
