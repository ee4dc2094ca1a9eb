import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { anna } from '#app/seed/people.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { startProduct } from './product.ts'
import { seededFolder, temporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)

type Outcome = { code: number; out: string; err: string }

async function hostdesk(dataDir: string, ...parameters: string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  try {
    const { stdout, stderr } = await run(process.execPath, ['app/cli/main.ts', ...parameters], { env })
    return { code: 0, out: stdout, err: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}

/** Runs a command whose reader is gone before its first line, as in `hostdesk … | head`. Returns its exit code (`out`) and its errors. */
async function intoClosedPipe(
  dataDir: string,
  ...parameters: string[]
): Promise<{ out: string; err: string }> {
  const script = '"$0" app/cli/main.ts "$@" | { exec 0<&-; sleep 0.2; }; echo "${PIPESTATUS[0]}"'
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  const { stdout, stderr } = await run('bash', ['--norc', '-c', script, process.execPath, ...parameters], {
    env,
  })
  return { out: stdout, err: stderr }
}

it('makes staff, backs up while the product runs, restores elsewhere, and finds what is wrong', async () => {
  const [here, elsewhere] = [seededFolder(), temporaryFolder()]
  const file = path.join(temporaryFolder(), 'backup.gz')
  const product = await startProduct({ dataDir: here })

  const invited = await hostdesk(here, 'create-staff', 'Boss@Example.com', '--role', 'owner', '--print-link')
  expect(invited).toMatchObject({ code: 0, err: '' })
  expect(invited.out).toContain('Nobody has proven boss@example.com. An invitation is on its way.')
  expect(invited.out).toMatch(/\/account\/auth\?invite=\S+\n/)
  const made = await hostdesk(here, 'create-staff', 'Anna@Example.com', '--json')
  expect(JSON.parse(made.out)).toEqual({
    email: anna.email,
    roles: ['support', 'billing'],
    invited: false,
  })
  const login = { email: anna.email, password: anna.password }
  const browser = new Browser(product.url)
  expect((await browser.post('/api/allauth/app/v1/auth/login', login)).status).toBe(200)
  expect((await browser.get('/api/users/detail/')).body).toMatchObject({ is_staff: true })

  expect(await hostdesk(here, 'backup', file)).toMatchObject({ code: 0 })
  expect(await hostdesk(here, 'restore', file)).toMatchObject({
    code: 3,
    err: expect.stringContaining('not empty') as string,
  })
  const rotated = await hostdesk(here, 'licence', 'rotate-key')
  const [, kid = ''] = /the key (\S{43}) now/.exec(rotated.out) ?? []
  type Published = { keys: { kid: string }[]; withdrawn: string[] }
  const published = async () => (await browser.get<Published>('/.well-known/jwks.json')).body
  expect((await published()).keys).toContainEqual(expect.objectContaining({ kid }))
  expect(await hostdesk(here, 'licence', 'withdraw-key', kid)).toMatchObject({ code: 0 })
  expect(await published()).toMatchObject({ withdrawn: [kid] })
  expect((await published()).keys).not.toContainEqual(expect.objectContaining({ kid }))

  const well = await hostdesk(here, 'doctor')
  expect(well).toMatchObject({ code: 0, err: '' })
  expect(well.out).toContain('✓ Workers: one process does jobs')
  expect(well.out).not.toMatch(/^✗/m)
  expect(await intoClosedPipe(here, 'doctor')).toEqual({ out: '0\n', err: '' })
  const settings = path.join(temporaryFolder(), 'settings.env')
  writeFileSync(settings, 'CURRENCY=XYZ\n')
  expect(await hostdesk(here, 'ledger', 'check', '--settings', settings)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^hostdesk: CURRENCY/) as string,
  })
  const checked = await hostdesk(here, 'ledger', 'check', '--json')
  expect(JSON.parse(checked.out)).toMatchObject({ damages: [] })
  await fetch(`${product.url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const doctor = async () => (await hostdesk(here, 'doctor')).out
  await expect.poll(doctor, { timeout: 20_000 }).toMatch(/^! Proxies: .*TRUSTED_PROXIES is 0/m)
  await product.end()

  expect(await hostdesk(elsewhere, 'restore', file)).toMatchObject({ code: 0 })
  const secret = { SECRET_KEY: readFileSync(path.join(here, 'secret-key'), 'utf8').trim() }
  const restored = await startProduct({ dataDir: elsewhere, settings: secret })
  expect((await new Browser(restored.url).post('/api/allauth/app/v1/auth/login', login)).status).toBe(200)
  expect(restored.output()).not.toContain('Demo logins')
})

describe('without touching any data', () => {
  const env = { PATH: process.env['PATH'] }
  const nowhere = '/nonexistent'

  it('explains itself to who types no command', async () => {
    const { code, out, err } = await hostdesk(nowhere)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^Usage: hostdesk /)
    expect(out).toContain('create-staff')
    expect(out).toContain('start')
  })

  it('explains a command, its parameters and the common options', async () => {
    const { code, out } = await hostdesk(nowhere, 'plan', 'add', '--help')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^Usage: hostdesk plan add \[options\] <SLUG> <TERM> <PRICE> <ENGLISH> <GERMAN> <RUSSIAN>/,
    )
    expect(out).toMatch(/--json/)
    expect(out).toMatch(/--settings <FILE>/)
    expect(out).toMatch(/\nExit codes: 0 done, .* 75 try later\.\n$/)
  })

  it('is quiet where nobody reads', async () => {
    expect(await intoClosedPipe(nowhere, '--help')).toEqual({ out: '0\n', err: '' })
  })

  it('shows `npm run hostdesk --` as the command in its usage when npm runs it', async () => {
    const settings = { env: { ...env, npm_lifecycle_event: 'hostdesk' } }
    const { stdout } = await run(process.execPath, ['app/cli/main.ts', '-h'], settings)
    expect(stdout).toMatch(/^Usage: npm run hostdesk -- /)
  })

  it('says its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await hostdesk(nowhere, '--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it.each([
    ['dance', "unknown command 'dance'"],
    ['--settings', 'argument missing'],
  ])('exits with 2 and one line where it is used wrongly: %s', async (word, said) => {
    const { code, out, err } = await hostdesk(nowhere, word)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(said)
    expect(err).toMatch(/^hostdesk: [^\n]*\n$/)
  })

  it('a command that fails exits with 1 and prints the error in one line, or as JSON with --json', async () => {
    const bad = ['doctor', '--settings', '/nonexistent/settings.env']
    const { code, out, err } = await hostdesk(nowhere, ...bad)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^hostdesk: --settings: [^\n]*settings\.env[^\n]*\n$/)
    const asJson = await hostdesk(nowhere, ...bad, '--json')
    expect({ ...asJson, out: JSON.parse(asJson.out) as unknown }).toEqual({
      code: 1,
      out: { error: expect.stringContaining('settings.env') as string },
      err: '',
    })
  })

  // Seen red: it ended with 1, and Postfix sent the mail back to its author.
  it('a mail that comes while the settings cannot be read is to be handed over again', async () => {
    const receive = ['--settings', '/nonexistent/settings.env', 'mail', 'receive']
    const { code, out, err } = await hostdesk(nowhere, ...receive)
    expect({ code, out }).toEqual({ code: 75, out: '' })
    expect(err).toMatch(/^hostdesk: --settings: [^\n]*settings\.env[^\n]*\n$/)
  })
})
