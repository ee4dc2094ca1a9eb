import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumFlags, ensureChromium } from './tools/ensure-chromium.ts'

// Every worker reads this file again; what the first reading chose reaches them by the environment.
const port = (process.env['STORY_PORT'] ??= freePort())
const dataDir = (process.env['STORY_DATA_DIR'] ??= temporaryFolder())

// An operator has to name them, and they stand at the foot of every page.
const legal = { IMPRINT_URL: 'https://example.com/imprint', PRIVACY_URL: 'https://example.com/privacy' }

export default defineConfig({
  testDir: '.',
  // `npm run test:walks` walks over all pages instead, which takes longer than the stories.
  testMatch: process.env['STORY_FILES'] ?? '{app,features,tests}/**/*.e2e.ts',
  outputDir: 'test-results',
  // A story waits more than it computes.
  workers: 4,
  fullyParallel: true,
  retries: 0,
  // Four stories share two cores, and a slow machine is no fault of the product.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  globalTeardown: './tests/harness/remove-story-data.ts',
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // A menu that still grows is at no rest: the driver then scrolls the page under it.
    reducedMotion: 'reduce',
    // A failure leaves its steps, requests and messages, and a picture of the page. The page at each step would take an eighth of all
    // processor time: `npx playwright test FILE --trace on` records it for the story that failed.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: ensureChromium(), args: chromiumFlags },
  },
  projects: [{ name: 'stories' }],
  // The product as it is started by everybody (or by STORY_COMMAND: the one of a release), with data of its own and limits that a hurried visitor does not meet.
  webServer: {
    command: process.env['STORY_COMMAND'] ?? 'node app/server/main.ts',
    url: `http://localhost:${port}/readyz`,
    timeout: 180_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: { PORT: port, DATA_DIR: dataDir, RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'warn', ...legal },
  },
})

function freePort(): string {
  const script = `const s = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    process.stdout.write(String(s.address().port)); s.close() })`
  return execFileSync(process.execPath, ['--input-type=commonjs', '-e', script], { encoding: 'utf8' })
}

/** PostgreSQL runs as another user than root and must be able to enter. */
function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-stories-'))
  chmodSync(folder, 0o755)
  return folder
}
