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
  for (const [command, parameters] of ways()) {
    try {
      execFileSync(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
    } catch {
      continue
    }
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error('No Chromium could be installed. Install one, and set CHROMIUM_PATH to it.')
}

/** Returns the path of a Chromium, without installing one. */
export function findChromium(): string | undefined {
  const system = [
    // A browser without windows and menus takes a third less of the processor for a story.
    '/usr/bin/chromium-headless-shell',
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
function* ways(): Generator<[string, string[]]> {
  const own: [string, string[]] = [
    process.execPath,
    ['node_modules/playwright/cli.js', 'install', 'chromium'],
  ]
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    // Other systems with apt-get have only the package of the whole browser.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const install = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${name}`
      yield ['/bin/sh', ['-c', `export DEBIAN_FRONTEND=noninteractive; ${install}`]]
    }
  }
  yield own
}

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

if (import.meta.main) process.stdout.write(`${ensureChromium()}\n`)
