import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { chromiumFlags, ensureChromium } from '#tools/ensure-chromium.ts'
import { copyFreshCheckout } from './fresh-checkout.ts'

// The tests run in a fresh copy of the checkout: they change a text, and other tests read the texts.
const checkout = mkdtempSync(path.join(tmpdir(), 'hostdesk-dev-'))
const dataDir = path.join(checkout, '.data')
let dev: ChildProcess
let origin: string
let said = ''
const readies = () => said.split('"msg":"ready"').length - 1

beforeAll(async () => {
  // PostgreSQL runs as another user than root.
  chmodSync(checkout, 0o755)
  copyFreshCheckout(checkout)
  execFileSync('cp', ['--archive', inject('seededFolder'), dataDir])
  const [port, vitePort] = [await freePort(), await freePort()]
  origin = `http://localhost:${vitePort}`
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    PORT: String(port),
    VITE_PORT: String(vitePort),
  }
  dev = spawn(process.execPath, ['tools/dev.ts'], { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (text: Buffer) => (said += text.toString()))
  await vi.waitFor(() => expect(readies()).toBe(1), { timeout: 110_000, interval: 50 })
})

afterAll(() => {
  dev.kill('SIGKILL')
  rmSync(checkout, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

it('npm run dev starts anew for each save by rename, and for a file in a new folder', async () => {
  // The file gets the same bytes: the restart must follow from the save, not from a change of the content.
  const file = path.join(checkout, 'app/server/well-known.ts')
  const saveByRename = () => {
    writeFileSync(`${file}.saved`, readFileSync(file))
    renameSync(`${file}.saved`, file)
  }
  saveByRename()
  await expect.poll(readies, { timeout: 60_000, interval: 50 }).toBe(2)
  // The second save was not seen while the watcher followed the file that the first save had replaced.
  saveByRename()
  await expect.poll(readies, { timeout: 60_000, interval: 50 }).toBe(3)

  const folder = path.join(checkout, 'features/hosts/server/made')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'empty.ts'), 'export {}\n')
  await expect.poll(readies, { timeout: 60_000, interval: 50 }).toBe(4)

  const text = path.join(checkout, 'foundation/messages/en.json')
  writeFileSync(text, readFileSync(text))
  await expect.poll(readies, { timeout: 60_000, interval: 50 }).toBe(5)
})

it('npm run dev shows a changed text on the open page, and nobody reloads it', async () => {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags })
  try {
    const page = await browser.newPage({ locale: 'en-GB', baseURL: origin })
    let requests = 0
    page.on('request', () => (requests += 1))
    await page.goto('/account/auth')
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    await link('Forgot password?').waitFor({ timeout: 60_000 })
    // With a module for each text, there were 1,271 requests.
    expect(requests).toBeLessThan(300)

    const file = path.join(checkout, 'features/auth/messages/en.json')
    const texts = readFileSync(file, 'utf8')
    writeFileSync(file, texts.replace('Forgot password?', 'Mislaid your password?'))
    await link('Mislaid your password?').waitFor({ timeout: 60_000 })

    // Editors save by renaming another file over the old one.
    writeFileSync(`${file}.saved`, texts)
    renameSync(`${file}.saved`, file)
    await link('Forgot password?').waitFor({ timeout: 60_000 })
  } finally {
    await browser.close()
  }
})

it('npm run dev leaves no process after SIGTERM', async () => {
  const gone = once(dev, 'exit')
  dev.kill('SIGTERM')
  await gone
  expect(processesOf(dataDir)).toEqual([])
})

/** Returns the ids of the processes that were started for this data folder, as an operator would find them. */
function processesOf(dataDir: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`DATA_DIR=${dataDir}`)
      )
    } catch {
      return false
    }
  })
}
