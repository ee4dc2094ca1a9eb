import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '#tests/harness/story.ts'
import { addressesFor, seenPages } from './seen-pages.ts'
import { signIn } from './sign-in.ts'

const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }
const QUIET_ms = 400
// Whole pages once moved when their parts came: the catalogue by 0.31, transfers by 0.14 of a window, and nearly each one at its foot.
for (const { person, pages, lists } of seenPages)
  test(`R-08 no part of a page moves while it loads over a slow network, and none is animated against the wish for less motion: ${person.name}`, async ({
    page,
    context,
  }) => {
    await page.addInitScript(() => localStorage.setItem('locale', 'en'))
    const token = await signIn(page, person)
    const addressOf = await addressesFor(page, token, lists)
    // A sign-in leads here, so the browser knows afterwards whom it shows its pages to.
    await page.goto('/account/')
    await expect(page.locator('h1')).toBeVisible()
    await context.addInitScript(watchShifts)
    // Rows of other stories would arrive by the live stream and move a list. A route would also switch off the browser's cache.
    await context.addInitScript(silenceStream)
    await page.close()
    const moved = await Promise.all(
      [1280, 390].map(async (width) => {
        const tab = await slowTab(context, width)
        const found: string[] = []
        for (const pattern of pages) {
          const path = addressOf(pattern)
          // A row that another story adds between two calls moves a list by chance; what a page does by itself it does each time.
          const again = (await movedBy(tab, path)) && (await movedBy(tab, path)) && (await movedBy(tab, path))
          if (again) found.push(`${path} at ${width} px: ${again}`)
        }
        return found
      }),
    )
    expect(moved.flat()).toEqual([])
  })

/** Loads a page, and returns how far it moved, and which parts, or what is animated on it; undefined if not by 0.005. */
async function movedBy(tab: Page, path: string): Promise<string | undefined> {
  await tab.goto(path)
  await expect(tab.locator('h1'), path).toBeVisible()
  const shifts = await tab.evaluate(atRest, QUIET_ms)
  // Stories ask for less motion, as people can.
  const animated = await tab.evaluate(animatedParts)
  if (animated.length > 0) return `is animated: ${animated.slice(0, 3).join(', ')}`
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  return sum >= 0.005 ? `${sum} ${JSON.stringify(shifts)}` : undefined
}

async function slowTab(context: BrowserContext, width: number): Promise<Page> {
  const tab = await context.newPage()
  await tab.setViewportSize({ width, height: 844 })
  const session = await context.newCDPSession(tab)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW)
  return tab
}

/** The parts with an animation or a transition, though the browser asks for less motion. Runs in the page. */
function animatedParts(): string[] {
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) return ['the browser does not ask']
  return [...document.querySelectorAll('*')].flatMap((element) =>
    ['', '::before', '::after'].flatMap((pseudo) => {
      const style = getComputedStyle(element, pseudo)
      const lasts = (times: string) => times.split(',').some((time) => Number.parseFloat(time) > 0)
      const moves = style.animationName !== 'none' && lasts(style.animationDuration)
      return moves || lasts(style.transitionDuration)
        ? [`${element.tagName}.${element.className}${pseudo}`]
        : []
    }),
  )
}

type Shift = { value: number; parts: string[] }

/** Keeps in `shifts` how far the page moves, and which parts. Runs in the page. */
function watchShifts(): void {
  const shifts: Shift[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as unknown as { value: number; sources: { node?: Node }[] }
      shifts.push({ value, parts: sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? '') })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Waits until the page has loaded and changes no more, and returns its shifts. Runs in the page. */
function atRest(quiet_ms: number): Promise<Shift[]> {
  return new Promise((resolve) => {
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (document.querySelector('main [data-coming]')) return wait()
        resolve((window as unknown as { shifts: Shift[] }).shifts)
      }, quiet_ms)
    }
    let timer: ReturnType<typeof setTimeout>
    new MutationObserver(wait).observe(document, { childList: true, subtree: true })
    wait()
  })
}

/** Lets the live stream never answer. Runs in the page. */
function silenceStream(): void {
  const real = window.fetch
  window.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    return url.includes('/api/events/') ? new Promise<Response>(() => {}) : real(input, init)
  }
}
