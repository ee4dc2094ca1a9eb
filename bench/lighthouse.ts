import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { people } from '#app/seed/people.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { chromiumFlags, ensureChromium } from '#tools/ensure-chromium.ts'
import { median } from '#tools/figures/table.ts'
import type { Figure } from '#tools/figures/table.ts'
import { must } from '#foundation/must.ts'
import { signInByCall } from './sign-in.ts'

/** The pages that people meet first, by the names that `--page` takes. */
const PAGES = [
  { name: 'login', path: '/account/auth', signedIn: false },
  { name: 'shop', path: '/shop/en/server/', signedIn: false },
  { name: 'list', path: '/account/servers/list', signedIn: true },
  { name: 'profile', path: '/account/settings/account', signedIn: true },
]

/** Measures the built pages with the mobile settings of Lighthouse (a slow phone on slow 4G, simulated). Starts a product for this. */
export async function measureLighthouse(wanted: string | undefined, runs: number): Promise<Figure[]> {
  const pages = PAGES.filter(({ name }) => wanted === undefined || name === wanted)
  if (pages.length === 0) throw new Error(`the pages are ${PAGES.map(({ name }) => name).join(', ')}`)
  const { dataDir, remove } = makeDataDir()
  const product = await startProduct({
    dataDir,
    withPages: true,
    settings: { DEMO: 'on', RATE_LIMIT_SCALE: '1000000' },
  })
  const profile = mkdtempSync(path.join(tmpdir(), 'hostdesk-bench-'))
  const port = 9_300 + Math.floor(Math.random() * 500)
  // A persistent context is the browser's default one, in which Lighthouse opens its pages.
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: ensureChromium(),
    args: [...chromiumFlags, `--remote-debugging-port=${port}`],
  })
  try {
    const page = await browser.newPage()
    // Lighthouse must not clear the storage, which holds the tokens. The cache is cleared here, so that each run fetches everything.
    const developer = await browser.newCDPSession(page)
    const forget = () => developer.send('Network.clearBrowserCache')
    const figures: Figure[] = []
    for (const { name, path: address, signedIn } of pages) {
      if (signedIn) await signInByCall(page, product.url, must(people[0]))
      const url = `${product.url}${address}`
      figures.push(...(await measure({ port, forget, name: `${name} page`, url, runs })))
    }
    return figures
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
    await product.stop()
    remove()
  }
}

type Visit = { port: number; forget: () => Promise<unknown>; name: string; url: string; runs: number }

async function measure({ port, forget, name, url, runs: count }: Visit): Promise<Figure[]> {
  const runs: Result[] = []
  for (let run = 0; run < count; run += 1) {
    await forget()
    const result = await lighthouse(url, port)
    if (result.runtimeError) throw new Error(`Lighthouse failed at ${url}: ${result.runtimeError.message}`)
    if (pathOf(result.finalDisplayedUrl) !== pathOf(url))
      throw new Error(`${url} led to ${result.finalDisplayedUrl}`)
    runs.push(result)
  }
  const score = (category: string) => median(runs.map((run) => (run.categories[category]?.score ?? 0) * 100))
  const audit = (id: string) => median(runs.map((run) => run.audits[id]?.numericValue ?? Infinity))
  const failed = (category: string) =>
    [...new Set(runs.flatMap((run) => failedAudits(run, category)))].join(', ')
  return [
    {
      name: `${name}, performance`,
      value: score('performance'),
      unit: '',
      least: 97,
      target: 98,
      note: `median of ${count}`,
    },
    {
      name: `${name}, accessibility`,
      value: score('accessibility'),
      unit: '',
      least: 100,
      note: failed('accessibility'),
    },
    {
      name: `${name}, best practices`,
      value: score('best-practices'),
      unit: '',
      least: 100,
      note: failed('best-practices'),
    },
    {
      name: `${name}, LCP`,
      value: audit('largest-contentful-paint') / 1000,
      unit: 's',
      most: 2.2,
      target: 1.9,
    },
    { name: `${name}, TBT`, value: audit('total-blocking-time'), unit: 'ms', most: 100, target: 50 },
    { name: `${name}, CLS`, value: audit('cumulative-layout-shift'), unit: '', most: 0.02, target: 0 },
    {
      name: `${name}, scripts transferred`,
      value: scriptBytes(must(runs[0])) / 1000,
      unit: 'kB',
      note: 'as the browser saw it',
    },
  ]
}

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '')

/** The fields used of Lighthouse's report (LHR). */
type Result = {
  runtimeError?: { message: string }
  finalDisplayedUrl: string
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; numericValue?: number; details?: unknown }>
}

/** Runs a pinned Lighthouse by npx. It has a hundred packages, which only those who measure with it should have to fetch. */
async function lighthouse(url: string, port: number): Promise<Result> {
  const options = [
    `--port=${port}`,
    '--disable-storage-reset',
    '--only-categories=performance,accessibility,best-practices',
    '--output=json',
    '--quiet',
  ]
  const { stdout } = await promisify(execFile)('npx', ['--yes', 'lighthouse@13.5.0', url, ...options], {
    maxBuffer: 1 << 28,
  })
  return JSON.parse(stdout) as Result
}

/** Returns the audits that cost points, each with the first element that failed it. */
function failedAudits(run: Result, category: string): string[] {
  const failed = (run.categories[category]?.auditRefs ?? []).filter(
    ({ id, weight }) => weight > 0 && (run.audits[id]?.score ?? 1) < 1,
  )
  return failed.map(({ id }) => `${id}${placeOf(run, id)}`)
}

function placeOf(run: Result, id: string): string {
  const details = run.audits[id]?.details as { items?: { node?: { selector?: string } }[] } | undefined
  const selector = details?.items?.[0]?.node?.selector
  return selector ? ` (${selector})` : ''
}

function scriptBytes(run: Result): number {
  const details = run.audits['network-requests']?.details as
    | { items?: { resourceType?: string; transferSize?: number }[] }
    | undefined
  return (details?.items ?? [])
    .filter((item) => item.resourceType === 'Script')
    .reduce((sum, item) => sum + (item.transferSize ?? 0), 0)
}
