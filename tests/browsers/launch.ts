import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#tests/harness/free-port.ts'
import { untilTrue } from './until-true.ts'
import { remoteByHttp, remoteByMarionette, type Remote } from './remote.ts'

export type Browser = { name: string; start(): Promise<RunningBrowser>; lacks: string | undefined }
type RunningBrowser = { remote: Remote; end(): void }

const MINI_BROWSER = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')[0] ?? ''
const FIREFOX = [process.env['FIREFOX_PATH'], '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  (file) => file && existsSync(file),
)
const DRIVER = '/usr/bin/WebKitWebDriver'
const SCREEN = '/usr/bin/Xvfb'

/** The engines beside Chromium, as Debian has them. */
export const browsers: Browser[] = [
  { name: 'Firefox', start: startFirefox, lacks: FIREFOX ? undefined : 'firefox-esr' },
  {
    name: 'WebKit',
    start: startWebKit,
    lacks: [DRIVER, MINI_BROWSER, SCREEN].every((file) => existsSync(file))
      ? undefined
      : 'webkit2gtk-driver and xvfb',
  },
]

async function startFirefox(): Promise<RunningBrowser> {
  const port = await freePort()
  const profile = mkdtempSync(path.join(tmpdir(), 'hostdesk-firefox-'))
  writeFileSync(
    path.join(profile, 'user.js'),
    `user_pref("marionette.port", ${port});\nuser_pref("intl.accept_languages", "en-GB");\n`,
  )
  const child = run(FIREFOX ?? '', ['--headless', '--marionette', '--no-remote', '--profile', profile])
  const remote = await untilTrue('Firefox answers', () => remoteByMarionette(port))
  return {
    remote,
    end: () => {
      remote.close()
      child.kill('SIGKILL')
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function startWebKit(): Promise<RunningBrowser> {
  const port = await freePort()
  // WebKit draws on a screen; this one is in memory, and says its number.
  const screen = spawn(SCREEN, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const number = await new Promise<string>((resolve) => {
    screen.stdout.once('data', (said: Buffer) => resolve(said.toString().trim()))
  })
  const driver = run(DRIVER, [`--port=${port}`], { DISPLAY: `:${number}`, LANG: 'en_GB.UTF-8' })
  const options = { binary: MINI_BROWSER, args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const remote = await untilTrue('WebKit answers', () => remoteByHttp(port, capabilities))
  return {
    remote,
    end: () => {
      remote.close()
      driver.kill('SIGTERM')
      screen.kill('SIGTERM')
    },
  }
}

const run = (program: string, parameters: string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(program, parameters, { stdio: 'ignore', env: { ...process.env, ...env } })
