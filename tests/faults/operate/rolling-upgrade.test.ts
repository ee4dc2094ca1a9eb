import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import * as auth from '#features/auth/contract.ts'
import { createHost, listHosts } from '#features/hosts/contract.ts'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { Client } from '#tests/harness/client.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { opened, say } from '#tests/harness/tickets.ts'
import { startProduct, type Product } from '#tests/system/product-process.ts'
import { startBalancer } from './balancer.ts'
import { startMailCounter } from './mail-counter.ts'

const git = (...command: string[]) => execFileSync('git', command, { encoding: 'utf8' }).trim()

const FIRST_MIGRATION = 'database/migrations/0001_first_page.sql'
/** The test upgrades from the schema of 0.1.0, which the commit before the first migration has, or from the tag in UPGRADE_FROM. */
const BEFORE =
  process.env['UPGRADE_FROM'] ?? `${git('log', '--diff-filter=A', '--format=%H', '--', FIRST_MIGRATION)}^`
const LANES = 6

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-rolling-'))
chmodSync(folder, 0o755)
const former = path.join(folder, 'former')
mkdirSync(former)
execFileSync('sh', ['-c', `git archive ${BEFORE} | tar -x -C ${former}`])
symlinkSync(path.resolve('node_modules'), path.join(former, 'node_modules'))
execFileSync(process.execPath, ['tools/compile-texts.ts'], { cwd: former })

const database = await startEmbedded({ dataDir: path.join(folder, 'data') })
const mails = await startMailCounter()
const balancer = await startBalancer()
const settings = {
  DATABASE_URL: database.url,
  SMTP_URL: mails.url,
  DEMO: 'off',
  SECRET_KEY: 'the-key-of-an-installation-that-is-upgraded-0123456789abcdef',
  RATE_LIMIT_SCALE: '1000000',
  // The setting is for the way back, on which the old code meets the new schema.
  ACCEPT_NEWER_DATABASE: 'on',
}
const started: Product[] = []
afterAll(async () => {
  await Promise.all(started.map((product) => product.stop()))
  await Promise.all([balancer.close(), mails.close()])
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(role: 'web' | 'worker', checkout?: string): Promise<Product> {
  const product = await startProduct({
    dataDir: path.join(folder, 'data'),
    settings: { ...settings, ROLE: role },
    ...(checkout ? { checkout } : {}),
  })
  started.push(product)
  if (role === 'web') balancer.add(product.url)
  return product
}

it('a rolling upgrade from the release before, and the way back, under traffic: no request fails', async () => {
  let running = [await start('web', former), await start('web', former), await start('worker', former)]
  const customers = makeCustomers()
  await sleep(1000)
  const traffic = { isOver: false, asked: 0, failed: [] as string[] }
  const lanes = customers.map((customer) => askOnAndOn(customer, traffic))
  await sleep(3000)
  const before = traffic.asked
  for (const checkout of [undefined, former]) {
    const next: Product[] = []
    if (checkout !== undefined) await refusesWithoutSetting()
    for (const [place, role] of (['web', 'web', 'worker'] as const).entries()) {
      next.push(await start(role, checkout))
      await sleep(2000)
      expect(await running[place]?.stop()).toBe(0)
      await sleep(2000)
    }
    running = next
  }
  const between = traffic.asked
  await sleep(3000)
  traffic.isOver = true
  await Promise.all(lanes)
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await expect
    .poll(async () => (await owner.query(`select id from mails where state <> 'sent'`)).rowCount, {
      timeout: 60_000,
    })
    .toBe(0)
  const { rows } = await owner.query<{ jobs: number }>(
    'select count(*)::int as jobs from jobs where last_error is not null',
  )
  await owner.end()
  process.stdout.write(
    `  ${traffic.asked} requests, ${between - before} of them while processes were exchanged, ${traffic.failed.length} failed; ` +
      `${mails.count()} mails; ${rows[0]?.jobs} jobs failed\n`,
  )
  // The log of the failed process says why.
  const why = started.flatMap((product) =>
    product
      .output()
      .split('\n')
      .filter((line) => /"status":500|"level":"error"/.test(line)),
  )
  expect(traffic.failed, why.join('\n')).toEqual([])
  expect(rows[0]?.jobs).toBe(0)
  expect(between - before).toBeGreaterThan(100)
})

/** The release before does not start by itself on a database that has become newer: it says so in one line. */
async function refusesWithoutSetting(): Promise<void> {
  const careful = { ...settings, ACCEPT_NEWER_DATABASE: 'off' }
  const start = startProduct({ dataDir: path.join(folder, 'data'), settings: careful, checkout: former })
  await expect(start).rejects.toThrow(/The database is newer than this release: it has \d{4}_/)
}

/** Makes signed-in customers by the code of the release before: this release's code knows no schema but its own. */
function makeCustomers(): Customer[] {
  const script = path.join(former, 'make-customers.ts')
  writeFileSync(
    script,
    `import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { createLog } from '#foundation/server/log.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
const config = loadConfig(process.env)
const app = await buildApp(config, { ownerUrl: process.env.DATABASE_URL, log: createLog({ level: 'silent' }) })
const made = []
for (let count = 0; count < ${LANES}; count += 1) made.push(await signedInCustomer({ app, client: () => ({}) }))
process.stdout.write(JSON.stringify(made.map(({ user_id, email, api }) => ({ user_id, email, api }))))
process.exit()
`,
  )
  const env = {
    PATH: process.env['PATH'],
    PUBLIC_ORIGIN: 'http://localhost:3000',
    DATA_DIR: path.join(folder, 'data'),
  }
  const made = execFileSync(process.execPath, [script], {
    cwd: former,
    env: { ...env, ...settings },
    encoding: 'utf8',
  })
  return (JSON.parse(made) as Customer[]).map((customer) => ({
    ...customer,
    api: Object.assign(new Client(balancer.url), customer.api),
  }))
}

/** Repeats the reads and writes of a customer, one at a time, until `traffic.isOver`. */
async function askOnAndOn(
  customer: Customer,
  traffic: { isOver: boolean; asked: number; failed: string[] },
): Promise<void> {
  const { api, email } = customer
  const acts = [
    () => api.call(listHosts, { query: {} }),
    () => api.call(createHost, { headers: {}, body: { name: 'web' } }),
    () => new Client(balancer.url).call(auth.requestReset, { body: { email } }),
    async () => say(customer, (await opened(customer)).id, 'It still does not answer.'),
  ]
  while (!traffic.isOver) {
    const act = acts[traffic.asked % acts.length] ?? acts[0]
    traffic.asked += 1
    const said = await act?.().then(
      ({ status }) => (status < 300 ? undefined : String(status)),
      (error: unknown) => String(error),
    )
    if (said !== undefined) traffic.failed.push(said)
  }
}
