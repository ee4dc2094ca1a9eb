import { buildApp } from '#app/server/build-app.ts'
import type { App } from '#foundation/server/app.ts'
import { loadConfig } from '#app/server/config.ts'
import { createLog } from '#foundation/server/log.ts'
import type { Client } from '#tests/harness/client.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { PatientClient } from '#tests/harness/patient-client.ts'
import { databaseOf, makeDataDir, startProduct, type Product } from '#tests/system/product-process.ts'

/**
 * An installation that can be killed and started again at the same address. `app` is the product's own code over the same
 * database, with which a test plants or reads rows without asking the process.
 */
export type Installation = {
  readonly app: App
  readonly url: string
  /** The process that runs now. */
  readonly pid: number
  readonly dataDir: string
  /** The settings of every process of the installation. */
  readonly settings: Record<string, string>
  client(): Client
  /** Kills the process and its PostgreSQL by kill -9. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

const SECRET_KEY = 'the-key-of-an-installation-that-is-killed-0123456789abcdef'

export async function startInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const { dataDir, remove } = makeDataDir()
  // The port is fixed, so that a restarted process has the same address.
  const PORT = String(await freePort())
  const all = { DEMO: 'off', SECRET_KEY, RATE_LIMIT_SCALE: '1000000', PORT, ...settings }
  let product: Product | undefined
  let app: App | undefined
  const installation: Installation = {
    get app() {
      if (!app) throw new Error('the installation does not run')
      return app
    },
    url: `http://127.0.0.1:${PORT}`,
    get pid() {
      if (!product) throw new Error('the installation does not run')
      return product.pid
    },
    dataDir,
    settings: all,
    client: () => new PatientClient(installation.url),
    async kill() {
      await product?.kill()
      await app?.close()
      app = product = undefined
    },
    async start() {
      product = await startProduct({ dataDir, settings: all })
      const ownerUrl = databaseOf(dataDir)
      const config = loadConfig({
        PUBLIC_ORIGIN: 'http://localhost:3000',
        DATA_DIR: dataDir,
        DATABASE_URL: ownerUrl,
        ...all,
      })
      app = await buildApp(config, { ownerUrl, log: createLog({ level: 'fatal' }) })
    },
    async close() {
      await app?.close()
      await product?.stop()
      remove()
    },
  }
  await installation.start()
  return installation
}
