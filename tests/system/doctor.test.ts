import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { commands } from '#app/cli/commands.ts'
import { examinePlans } from '#app/cli/examine-plans.ts'
import { stripeEvents } from '#features/finance/server/finance.ts'
import type { Config } from '#foundation/server/config.ts'
import { must } from '#foundation/must.ts'
import { assertKey } from '#foundation/server/key-change/assert-key.ts'
import { tryBackupFolder } from '#foundation/server/backup/try-folder.ts'
import { deriveKeys } from '#foundation/server/keys.ts'
import { Secret } from '#foundation/server/secret.ts'
import { bucket } from '#foundation/server/storage/bucket-setting.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { MOLLIE_KEY, startMollieServer } from '#tests/harness/mollie-server.ts'
import { createDatabase, startTestApp } from '#tests/harness/test-app.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const test = await startTestApp()
const { app, mails, startWorker } = test
const findings = z.object({
  findings: z.array(z.object({ name: z.string(), state: z.string(), text: z.string() })),
})

/** Runs `hostdesk doctor` with these settings. Returns its findings by name, the states that occur, and true as `failed` if it fails. */
async function examine(changed: Partial<Config> = {}, options = {}, ownerUrl = app.ownerUrl) {
  const environment = { config: { ...app.config, ...changed }, log: app.log, ownerUrl, close: async () => {} }
  const { data, failed, lines } = await must(commands['doctor']).run(environment, [], options)
  const found = findings.parse(JSON.parse(JSON.stringify(data))).findings
  expect(lines).toHaveLength(found.length)
  const by = new Map(found.map(({ name, ...rest }) => [name, rest]))
  return { by, failed, states: new Set(found.map(({ state }) => state)) }
}

it('finds nothing wrong where nothing is, also with a database elsewhere and a data folder that is not there yet', async () => {
  await startWorker()
  await assertKey(app)
  const { user_id } = await signedInCustomer(test)
  expect((await examine()).by.get('Staff')).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/^No owner/) as string,
  })
  await transaction(app, 'system', (tx) => setStaffRoles(tx, user_id, ['owner']))
  const { by, failed, states } = await examine({ dataDir: path.join(folder, 'not/yet') })
  const wrong = [...by].filter(([, { state }]) => state !== 'fine').map(([name]) => name)
  expect(wrong.filter((name) => !name.startsWith('Set up: '))).toEqual([])
  // This installation has sold nothing, and is run by one person.
  expect(wrong).toEqual(expect.arrayContaining(['Set up: Your company', 'Set up: A second member of staff']))
  expect(by.get('Set up: Email')).toMatchObject({ state: 'fine', text: 'done' })
  expect([failed, [...states]]).toEqual([false, ['fine', 'warning']])
  expect([...by.keys()]).toEqual(
    expect.arrayContaining('Database Pooler Clock Key Workers Queue Disk Storage Mail'.split(' ')),
  )
  expect(by.get('Workers')?.text).toBe('one process does jobs')
  const loose = (await examine({ warnings: ['PAYMENTS: nobody'] })).by.get('Settings')
  expect(loose).toEqual({ state: 'warning', text: 'PAYMENTS: nobody' })
  // The whole of doctor refuses the database of the tests in production, because it may lose what was confirmed.
  const plans = withConnection(app.ownerUrl, (client) =>
    examinePlans(client, { ...app.config, production: true }),
  )
  await expect(plans).rejects.toThrow(/^No plan: customers can buy nothing/)
})

it('warns where texts are ordered by another library than their indices, and says what to do', async () => {
  const superuser = await superuserOf(test)
  await superuser.query(
    "update pg_collation set collversion = 'of yesterday' where collname = 'people_order'",
  )
  const { by, failed } = await examine()
  expect(failed).toBe(false)
  const { state, text } = must(by.get('Order of texts'))
  expect(state).toBe('warning')
  expect(text).toMatch(/reindex database; alter collation people_order refresh version;$/)
  await superuser.query('alter collation people_order refresh version')
  expect((await examine()).by.get('Order of texts')).toMatchObject({ state: 'fine' })
  await superuser.end()
})

it('says of a database what the next start would say: newer, by another commit, or what has yet to run', async () => {
  const superuser = await superuserOf(test)
  const found = async (changed: Partial<Config> = {}) => {
    const { by } = await examine(changed)
    const database = must(by.get('Database'))
    // Nothing is examined in a database that no start takes.
    if (database.state === 'failed') expect(by.get('Migrations')).toBeUndefined()
    return database.state === 'failed' ? database.text : by.get('Migrations')?.text
  }
  await superuser.query("insert into migrations values ('9999_of_tomorrow.sql', 'x')")
  expect(await found()).toMatch(/^The database is newer than this release/)
  expect(await found({ acceptNewerDatabase: true })).toBe('current')
  await superuser.query("update migrations set name = '0002_gone.sql' where name = '9999_of_tomorrow.sql'")
  expect(await found({ acceptNewerDatabase: true })).toMatch(/^The database was made by another commit/)
  await superuser.query("delete from migrations where name = '0002_gone.sql'")
  const { rows } = await superuser.query<{ name: string; hash: string }>(
    "delete from migrations where name = '0001_first_page.sql' returning name, hash",
  )
  expect(await found()).toBe('1 have not run. They run at the next start.')
  const first = must(rows[0])
  await superuser.query('insert into migrations values ($1, $2)', [first.name, first.hash])
  expect(await found()).toBe('current')
  await superuser.end()
})

it('sends a mail where it is asked to, and says what the server answered', async () => {
  const { by } = await examine({}, { mail: 'ops@example.com' })
  expect(by.get('Mail')).toMatchObject({
    state: 'fine',
    text: expect.stringMatching(/^sent to ops@.*250/) as string,
  })
  expect((await mails.next('ops@example.com')).text).toContain('hostdesk doctor sent this mail')
  const nowhere = await examine({ smtpUrl: new Secret('smtp://127.0.0.1:9') }, { mail: 'ops@example.com' })
  expect(nowhere.by.get('Mail')).toMatchObject({ state: 'failed' })
})

it('finds a bucket that does not answer, a wrong SECRET_KEY, and a queue that stands still', async () => {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query(
    `insert into jobs (name, payload, run_at, max_attempts, class) values ('wash', '{}', now() - interval '1 hour', 25, 'rest')`,
  )
  const other = new Secret('another-key-of-the-tests-which-protects-nothing-0123')
  const { by, failed } = await examine({
    bucket: bucket().parse('s3://key:secret@127.0.0.1:9/files?tls=off'),
    secretKey: other,
  })
  expect(failed).toBe(true)
  expect(by.get('Storage')?.state).toBe('failed')
  expect(by.get('Storage')?.text).toContain('the bucket files')
  expect(by.get('Key')?.state).toBe('failed')
  expect(by.get('Key')?.text).toContain(deriveKeys(other).fingerprint)
  expect(by.get('Queue')?.state).toBe('failed')
  expect(by.get('Queue')?.text).toMatch(/wash.* since 36\d\d s/)
  await owner.query("delete from jobs where name = 'wash'")
  await owner.query(`insert into mails (to_address, letter, class, locale, content, state, attempts, last_error, created_at, next_at) values
      ('anna@example.com', 'password_reset', 'security', 'en', 'x', 'owed', 3, '421 closing', now() - interval '10 minutes', now() + interval '30 minutes')`)
  // The worker mends it each minute, perhaps at this very moment.
  const saidOf = async (name: string) => {
    await owner.query(`update jobs set run_at = now() + interval '1 hour' where key = 'every:sweep_mails'`)
    const found = (await examine()).by.get(name)
    return `${found?.state} ${found?.text}`
  }
  const isLate = /^warning .*sweep_mails is due in 3[56]\d\d s and may wait 60 s: the clock/
  await expect.poll(() => saidOf('Queue')).toMatch(isLate)
  expect(await saidOf('Mails')).toMatch(/^warning 1 mail waits, the oldest for 6\d\d s; .* 421 closing/)
  await owner.query("delete from mails where state = 'owed'")
  await owner.end()
  const changing = await examine({ secretKey: other, formerSecretKey: app.config.secretKey })
  expect(changing.by.get('Key')).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('keys reseal') as string,
  })
})

it('asks Stripe which events it sends here, and names those that are missing', async () => {
  type Endpoint = { url: string; status: string; enabled_events: string[] }
  let endpoints: Endpoint[] | undefined = []
  const api = createServer((_, response) => {
    response.writeHead(endpoints ? 200 : 403, { 'content-type': 'application/json' })
    const error = { type: 'invalid_request_error', message: 'The key may not.' }
    response.end(JSON.stringify(endpoints ? { object: 'list', data: endpoints, has_more: false } : { error }))
  })
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening))
  const stripe = {
    secretKey: new Secret('sk_test_of_the_doctor'),
    webhookSecret: new Secret('whsec_of_the_doctor'),
    apiOrigin: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
  }
  const url = 'http://localhost:3000/api/payments/stripe/events/'
  const found = async (given: Endpoint[] | undefined) => {
    endpoints = given
    return (await examine({ stripe })).by.get('Payments')
  }
  const all = [...stripeEvents]
  const ours = { url, status: 'enabled', enabled_events: all }
  expect(await found([ours])).toEqual({ state: 'fine', text: `Stripe sends all events to ${url}` })
  expect(await found([{ ...ours, enabled_events: ['*'] }])).toMatchObject({ state: 'fine' })
  const less = { ...ours, enabled_events: all.filter((type) => !type.startsWith('refund.')) }
  expect(await found([less])).toEqual({
    state: 'failed',
    text: `Stripe does not send refund.created, refund.failed, refund.updated to ${url}. Add these events there: docs/operate/payments.md.`,
  })
  expect(await found([{ ...ours, url: 'https://elsewhere.example.com/' }])).toMatchObject({
    state: 'failed',
    text: expect.stringContaining(`sends nothing to ${url}`) as string,
  })
  expect(await found([{ ...ours, status: 'disabled' }])).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('switched the endpoint') as string,
  })
  expect(await found(undefined)).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('The key may not.') as string,
  })
  api.close()
})

it('asks Mollie what it offers, and says what hinders it, beside what hinders another', async () => {
  const mollie = await startMollieServer()
  const set = { apiKey: new Secret(MOLLIE_KEY), apiOrigin: mollie.origin }
  const found = async (more: Partial<Config> = {}) =>
    (await examine({ mollie: set, publicOrigin: 'https://account.example.com', ...more })).by.get('Payments')
  expect(await found()).toEqual({ state: 'fine', text: 'Mollie offers creditcard, ideal, paypal' })
  expect(await found({ publicOrigin: 'http://localhost:3000' })).toMatchObject({
    state: 'failed',
    text: expect.stringMatching(
      /^Mollie tells of payments by calls to PUBLIC_ORIGIN, and cannot reach/,
    ) as string,
  })
  mollie.methods = []
  expect(await found({ production: true })).toMatchObject({
    state: 'failed',
    text: expect.stringMatching(/test key.*\. Mollie has no way to pay in EUR switched on/) as string,
  })
  expect(await found({ currency: 'KWD' })).toMatchObject({ state: 'failed' })
  mollie.fate = 401
  expect(await found()).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('Mollie does not know MOLLIE_API_KEY') as string,
  })
  mollie.fate = 'away'
  expect(await found()).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/^Mollie does not say .*503/) as string,
  })
  const stripe = {
    secretKey: new Secret('sk_test_of_the_doctor'),
    webhookSecret: undefined,
    apiOrigin: 'http://127.0.0.1:9',
  }
  mollie.fate = 401
  expect((await found({ stripe }))?.text).toMatch(/Stripe does not say which.*Mollie does not know/)
  mollie.close()
  expect(mollie.wrong).toEqual([])
})

it('says how old the last backup is, when one is overdue, and when none can be written', async () => {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  const backup = { ...app.config.backup, dir: path.join(folder, 'backups'), every_h: 24 }
  const found = async () => {
    const { state, text } = must((await examine({ backup })).by.get('Backups'))
    return `${state}: ${text}`
  }
  expect(await found()).toBe('warning: none was ever made')
  const add = (hours: number) =>
    owner.query(
      `insert into backups (made_at, file, row_count, file_count, size_bytes) values (now() - make_interval(hours => $1), 'a.backup', 1, 0, 1)`,
      [hours],
    )
  await add(40)
  expect(await found()).toMatch(/^failed: .*40 h old/)
  await add(3)
  expect(await found()).toBe('fine: the last is 3 h old: a.backup')
  // A process that is not let in, as by systemd, tells the database; a folder that cannot be made is found here.
  await tryBackupFolder({
    ...app,
    config: { ...app.config, backup: { ...backup, dir: '/dev/null/backups' } },
  })
  expect(await found()).toMatch(/^failed: a process could not make one on .*ReadWritePaths/)
  backup.dir = '/dev/null/backups'
  expect(await found()).toMatch(
    /^failed: BACKUP_DIR: no backup can be written to \/dev\/null\/backups: ENOTDIR/,
  )
  await owner.query('delete from backups')
  await owner.query('delete from observations')
  await owner.end()
})

it('a proxy in front that nobody declared is a warning', async () => {
  const { by, failed } = await examine({ publicOrigin: 'https://127.0.0.1:9' })
  expect(by.get('Proxies')).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('TRUSTED_PROXIES') as string,
  })
  expect(by.get('Certificate')).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('from here') as string,
  })
  expect(failed).toBe(false)
})

it('a database that does not answer, or is still empty, is one finding and does not hide any other finding', async () => {
  const away = 'postgres://nobody@127.0.0.1:9/none'
  const gone = await examine({ databaseUrl: new Secret(away) }, {}, away)
  expect(gone.by.get('Database')).toMatchObject({ state: 'failed' })
  expect(gone.by.get('Storage')).toMatchObject({ state: 'fine' })
  expect(gone.by.has('Queue')).toBe(false)
  const { url, drop } = await createDatabase()
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query('drop schema public cascade; create schema public')
  await owner.end()
  const empty = await examine({ databaseUrl: new Secret(url) }, {}, url)
  expect(empty.by.get('Migrations')?.text).toContain('the first start')
  expect(empty.failed).toBe(false)
  await drop()
})

it('says until when the certificate of PUBLIC_ORIGIN is valid, and when browsers do not take it', async () => {
  const made = (days: number) => {
    const [key, cert] = ['key', 'cert'].map((name) => path.join(folder, `${name}-${days}.pem`)) as [
      string,
      string,
    ]
    const what = [
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=localhost',
    ]
    const names = [
      '-addext',
      'subjectAltName=DNS:localhost',
      '-days',
      String(days),
      '-keyout',
      key,
      '-out',
      cert,
    ]
    execFileSync('openssl', ['req', ...what, ...names], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  }
  const seen = async (days: number, isTrusted: boolean) => {
    const pair = made(days)
    const before = tls.getCACertificates()
    if (isTrusted) tls.setDefaultCACertificates([...before, pair.cert])
    const server = tls.createServer(pair)
    await new Promise<void>((resolve) => void server.listen(0, resolve))
    const publicOrigin = `https://localhost:${(server.address() as AddressInfo).port}`
    const { by } = await examine({ publicOrigin, trustedProxies: 1 })
    server.close()
    tls.setDefaultCACertificates(before)
    return by.get('Certificate')
  }
  expect(await seen(91, true)).toMatchObject({
    state: 'fine',
    text: expect.stringMatching(/\(9\d days\)/) as string,
  })
  expect(await seen(8, true)).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('Renew it') as string,
  })
  expect(await seen(1, true)).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('Renew it now') as string,
  })
  expect(await seen(90, false)).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('do not take it') as string,
  })
})
