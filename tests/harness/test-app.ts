import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import { buildApp } from '#app/server/build-app.ts'
import { buildServer } from '#app/server/server.ts'
import type { App } from '#foundation/server/app.ts'
import { loadConfig } from '#app/server/config.ts'
import { refuseLocksOutOfOrder } from '#foundation/server/database/lock-order.ts'
import { createLog } from '#foundation/server/log.ts'
import type { Log } from '#foundation/server/log.ts'
import { Client } from './client.ts'
import { databaseUrl, TEMPLATE } from './database-for-the-run.ts'
import { endPoolAt, poolAt } from './pools.ts'
import { startMailSink } from './mail-sink.ts'
import type { MailSink } from './mail-sink.ts'

export type TestApp = {
  app: App
  /** http://127.0.0.1:PORT, without a slash behind. */
  url: string
  /** Makes a client without tokens, like a new browser; `api` is such a client. */
  client(): Client
  api: Client
  /** The first `next` starts the worker, so that test files without mails do not spend time on a worker. */
  mails: MailSink
  /** Log lines, one parsed object each, from `info` up. */
  logged: Record<string, unknown>[]
  startWorker(): Promise<void>
  close(): Promise<void>
}

export type TestAppOptions = {
  settings?: Record<string, string>
  /** True to turn calls away, and to end statements, as soon as the product does; otherwise both wait longer. */
  isHurried?: boolean
  /** Puts a relay between the application and its database; gets the database's URL and returns the relay's. */
  through?: (databaseUrl: string) => Promise<string>
}

/**
 * Starts an installation with a database of its own, over real HTTP on a free port. Call it at the top of a test file or in `beforeAll`;
 * it closes itself after the last test of the file. `settings` are environment variables.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  refuseLocksOutOfOrder()
  const { logged, log } = logInMemory()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hostdesk-data-'))
  const [database, sink] = await Promise.all([createDatabase(), startMailSink()])
  const ownerUrl = (await options.through?.(database.url)) ?? database.url
  const config = loadConfig({
    PORT: '0',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    DATA_DIR: dataDir,
    DATABASE_URL: ownerUrl,
    SMTP_URL: sink.url,
    SECRET_KEY: 'the-key-of-the-tests-which-protects-nothing-0123456789',
    DEMO: 'off',
    LOG_LEVEL: 'info',
    ...options.settings,
  })
  // A test with a relay tests how the app takes cut connections, so the app keeps the product's own limits.
  const isPatient = !options.isHurried && !options.through
  const patience_ms = isPatient ? PATIENCE_ms : undefined
  const limits = isPatient ? PATIENT_LIMITS : undefined
  const app = await buildApp(config, { ownerUrl, log, acquire_timeout_ms: patience_ms, limits })
  const server = await buildServer(app, options.isHurried ? undefined : PATIENCE_ms)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

  let worker: Promise<{ stop(): Promise<void> }> | undefined
  const startWorkerOnce = async () => {
    await (worker ??= workerOf(app))
  }
  let closed: Promise<void> | undefined
  const close = () =>
    (closed ??= (async () => {
      // Connections are closed again and again: a client may open a new one while the server is closing, and then wait on it.
      const cutting = setInterval(() => server.server.closeAllConnections(), 20)
      server.server.closeAllConnections()
      await server.close().finally(() => clearInterval(cutting))
      await (await worker)?.stop()
      await Promise.all([app.close(), sink.close()])
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    })())
  afterAll(close)

  const mails: MailSink = {
    ...sink,
    async next(address, timeout_ms) {
      await startWorkerOnce()
      return sink.next(address, timeout_ms)
    },
    async about(address, words, timeout_ms) {
      await startWorkerOnce()
      return sink.about(address, words, timeout_ms)
    },
  }
  const client = () => new Client(url)
  return { app, url, client, api: client(), mails, logged, startWorker: startWorkerOnce, close }
}

/** Starts a second process of the installation of a test, in all but its memory: an application and its server, beside the first. */
export async function sameInstallation({ app }: TestApp): Promise<{ url: string; close(): Promise<void> }> {
  const { config, log, ownerUrl } = app
  const another = await buildApp(config, {
    ownerUrl,
    log,
    acquire_timeout_ms: PATIENCE_ms,
    limits: PATIENT_LIMITS,
  })
  const server = await buildServer(another, PATIENCE_ms)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const close = async () => {
    server.server.closeAllConnections()
    await server.close()
    await another.close()
  }
  return { url, close }
}

/** The longest waits in tests: a test does not measure, so on a busy machine a call may wait longer than a customer would. */
const PATIENCE_ms = 30_000
const PATIENT_LIMITS = { lock_s: 30, statement_s: 50, idle_in_transaction_s: 50 }

/** Starts the worker. Its module is loaded on demand: the code of the job queue is large, and most test files send no mail. */
async function workerOf(app: App): Promise<{ stop(): Promise<void> }> {
  const { startWorker } = await import('#app/server/worker.ts')
  return startWorker(app)
}

/** Creates a new database, copied from the migrated template in some 30 ms; `url` connects as its owner. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('adminUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = poolAt(adminUrl)
  // The files of the template are copied as they are: a third of the work of writing each page to the log.
  await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy owner hostdesk`)
  const url = databaseUrl(adminUrl, 'hostdesk', name)
  return {
    url,
    async drop() {
      await endPoolAt(url)
      await admin.query(`drop database if exists ${name} with (force)`)
    },
  }
}

function logInMemory(): { logged: Record<string, unknown>[]; log: Log } {
  const logged: Record<string, unknown>[] = []
  const destination = {
    write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>),
  }
  return { logged, log: createLog({ level: 'info', role: 'all', destination }) }
}
