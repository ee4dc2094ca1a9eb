import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/**
 * Returns the path of a Chromium to test with: that of CHROMIUM_PATH, of the system, or of Playwright. Installs one if there is
 * none. Throws Error saying what to do if that fails, too.
 */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  process.stderr.write('No Chromium found; installing one …\n')
  for (const way of ways()) {
    const installed = run(way) ? findChromium() : undefined
    if (installed) return installed
  }
  throw new Error('No Chromium could be installed. Install one, and set CHROMIUM_PATH to it.')
}

type Command = readonly [name: string, parameters: readonly string[]]

/** Runs a command, and returns false if it fails. */
function run([name, parameters]: Command): boolean {
  try {
    execFileSync(name, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
    return true
  } catch {
    return false
  }
}

// A browser without windows and menus takes a third less of the time and of the processor for a story.
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'

/** Installs the browser without windows beside another one where that takes some seconds: as root on Debian. */
function installWithoutWindows(): void {
  if (process.env['CHROMIUM_PATH'] || existsSync(WITHOUT_WINDOWS) || !isRootOnDebian()) return
  run(debianPackage('chromium-headless-shell'))
}

/** Returns the path of a Chromium, without installing one. */
export function findChromium(): string | undefined {
  const system = [
    WITHOUT_WINDOWS,
    // Debian's script around this program adds flags that cost a sixth more.
    '/usr/lib/chromium/chromium',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
  ]
  const candidates = [process.env['CHROMIUM_PATH'], ...system, chromium.executablePath()]
  return candidates.find((path) => path && existsSync(path))
}

/**
 * Yields the commands that install a Chromium. On Debian root takes the system's package first, which brings its libraries along;
 * otherwise it is Playwright's.
 */
function* ways(): Generator<Command> {
  // Other systems with apt-get have only the package of the whole browser.
  if (isRootOnDebian()) for (const name of ['chromium-headless-shell', 'chromium']) yield debianPackage(name)
  yield [process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium']]
}

const isRootOnDebian = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

const debianPackage = (name: string): Command => [
  '/bin/sh',
  [
    '-c',
    `export DEBIAN_FRONTEND=noninteractive; apt-get update -qq && apt-get install -y -qq --no-install-recommends ${name}`,
  ],
]

/** Flags that let Chromium start as root, without a screen and without talking to the network. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

if (import.meta.main) {
  installWithoutWindows()
  process.stdout.write(`${ensureChromium()}\n`)
}
