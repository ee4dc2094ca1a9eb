import { availableParallelism, loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import { must } from '#foundation/must.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { chromiumFlags, ensureChromium } from '#tools/ensure-chromium.ts'
import { median, percentile } from '#tools/figures/table.ts'
import type { Figure } from '#tools/figures/table.ts'
import { signInByCall } from './sign-in.ts'

const ROUNDS = 15
/** The page has come to rest by then, and what it fetches ahead is there. */
const REST_ms = 1500

/**
 * Measures the palette by keyboard in the built pages, for a member of staff, who has the most to find: from the key that is pressed to
 * the frame that shows its result. The first opening is that of a page which has just come to rest.
 */
export async function measurePalette(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { DEMO: 'on', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, withPages: true, settings })
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
    await signInByCall(page, product.url, olivia)
    const times: Record<'empty' | 'first' | 'opened' | 'typed' | 'found', number[]> = {
      empty: [],
      first: [],
      opened: [],
      typed: [],
      found: [],
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.goto(`${product.url}/account/servers/list`)
      await page.locator('html:not(:has([data-coming])) h1').waitFor()
      await page.waitForTimeout(REST_ms)
      times.empty.push(await timeOfEmptyDialog(page))
      times.first.push(await timeOf(page, ['Control+k'], { text: '', option: '[role=option]' }))
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
      times.opened.push(await timeOf(page, ['Control+k'], { text: '', option: '[role=option]' }))
      for (const text of ['i', 'in', 'inv'])
        times.typed.push(await timeOf(page, [must(text.at(-1))], { text, option: '[role=option]' }))
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      times.found.push(
        await timeOf(page, [...'bank'], { text: 'bank', option: '[role=option][id*="/staff-tickets/"]' }),
      )
    }
    return [
      { name: 'an empty dialog on that page, median', value: median(times.empty), unit: 'ms', note: load() },
      ...figuresOf('palette, its first opening', times.first),
      ...figuresOf('palette, opened again', times.opened),
      ...figuresOf('palette, a letter', times.typed),
      ...figuresOf('palette, tickets found, after the pause of 150 ms', times.found.map(withoutPause)),
    ]
  } finally {
    await browser.close()
    await product.stop()
    remove()
  }
}

/** The palette asks the server a moment after the last key, which is no work. */
const withoutPause = (time_ms: number): number => Math.max(0, time_ms - 150)

/** Tells how busy the machine is, because all times grow with that. */
const load = (): string => `load ${must(loadavg()[0]).toFixed(1)} on ${availableParallelism()} cores`

/** Measures what this browser needs for a dialog with nothing but a field, on the same page: no palette can be faster. */
async function timeOfEmptyDialog(page: Page): Promise<number> {
  await page.evaluate(() => {
    const dialog = document.createElement('dialog')
    dialog.id = 'empty'
    dialog.append(document.createElement('input'))
    document.body.append(dialog)
    window.addEventListener('keydown', ({ key }) => (key === 'F9' ? dialog.showModal() : dialog.remove()))
  })
  const time_ms = await timeOf(page, ['F9'], { text: '', option: '#empty[open]' })
  await page.keyboard.press('F8')
  return time_ms
}

/**
 * Presses keys, and returns the time (ms) from the event of the last one to the end of the first frame in which the field has this text
 * and the first option like this holds it.
 */
async function timeOf(
  page: Page,
  keys: readonly string[],
  shown: { text: string; option: string },
): Promise<number> {
  await page.evaluate(
    ({ text, option, last }) => {
      const isShown = () =>
        (document.querySelector<HTMLInputElement>('[role=combobox]')?.value ?? '') === text &&
        [...document.querySelectorAll(option)].some((one) => one.textContent.toLowerCase().includes(text))
      Object.assign(window, {
        measured: new Promise<number>((resolve, reject) => {
          setTimeout(() => reject(new Error(`no option with '${text}'`)), 10_000)
          const begin = ({ key, timeStamp }: KeyboardEvent) => {
            if (key !== last) return
            window.removeEventListener('keydown', begin, true)
            const look = () =>
              requestAnimationFrame(() => {
                if (!isShown()) return look()
                // A task that is posted in a frame runs after the frame is painted.
                const { port1, port2 } = new MessageChannel()
                port1.addEventListener('message', () => resolve(performance.now() - timeStamp))
                port1.start()
                port2.postMessage(undefined)
                return undefined
              })
            look()
          }
          window.addEventListener('keydown', begin, true)
        }),
      })
    },
    { ...shown, last: must(keys.at(-1)?.split('+').at(-1)) },
  )
  for (const key of keys) await page.keyboard.press(key)
  return page.evaluate(() => (window as unknown as { measured: Promise<number> }).measured)
}

const figuresOf = (name: string, times: readonly number[]): Figure[] => [
  { name: `${name}, median`, value: median(times), unit: 'ms', most: 50, note: `of ${times.length}` },
  { name: `${name}, 95 of 100`, value: percentile(times, 95), unit: 'ms', target: 50 },
]
