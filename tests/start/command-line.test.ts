import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Client as Browser } from '#tests/harness/client.ts'
import { startProduct } from './product.ts'
import { temporaryFolder } from './temporary-folder.ts'

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

it('makes staff, backs up while the product runs, restores elsewhere, and finds what is wrong', async () => {
  const [here, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const file = path.join(temporaryFolder(), 'backup.gz')
  const product = await startProduct({ dataDir: here })

  const made = await hostdesk(here, 'create-staff', 'Boss@Example.com')
  const password = /password (\S+)/.exec(made.out)?.[1]
  const login = { email: 'boss@example.com', password }
  const browser = new Browser(product.url)
  expect((await browser.post('/api/allauth/app/v1/auth/login', login)).status).toBe(200)
  expect((await browser.get('/api/users/detail/')).body).toMatchObject({ is_staff: true })

  expect(await hostdesk(here, 'backup', file)).toMatchObject({ code: 0 })
  expect(await hostdesk(here, 'restore', file)).toMatchObject({
    code: 1,
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
  expect(well.out.match(/^✓/gm)).toHaveLength(10)
  await fetch(`${product.url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const doctor = async () => (await hostdesk(here, 'doctor')).out
  await expect.poll(doctor, { timeout: 20_000 }).toMatch(/^! Proxies: .*TRUSTED_PROXIES is 0/m)
  await product.end()

  expect(await hostdesk(elsewhere, 'restore', file)).toMatchObject({ code: 0 })
  const settings = { SECRET_KEY: readFileSync(path.join(here, 'secret-key'), 'utf8').trim() }
  const restored = await startProduct({ dataDir: elsewhere, settings })
  expect((await new Browser(restored.url).post('/api/allauth/app/v1/auth/login', login)).status).toBe(200)
  expect(restored.output()).not.toContain('Demo logins')
})

it('explains itself, and refuses what it does not know', async () => {
  const dataDir = temporaryFolder()
  expect((await hostdesk(dataDir)).out).toContain('create-staff EMAIL')
  expect(await hostdesk(dataDir, 'dance')).toMatchObject({
    code: 1,
    err: expect.stringContaining("no command 'dance'") as string,
  })
  expect(await hostdesk(dataDir, 'licence', 'withdraw-key')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Usage: npm run hostdesk -- licence withdraw-key KEY_ID') as string,
  })
  expect(await hostdesk(dataDir, 'backup')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Usage:') as string,
  })
})
