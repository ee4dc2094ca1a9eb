import type { Browser, Page } from '@playwright/test'
import { must } from '#foundation/must.ts'
import { events } from '#foundation/live-contract.ts'
import type { Customer } from '#tests/harness/customer.ts'

// `seen` and `receivedEvent` return times of day (Date.now()), so that the times of two browsers can be compared.

/** The longest wait for an element or an event. */
const LATEST_ms = 20_000

/**
 * Returns a page in a browser context of its own in which the customer is signed in. The tokens are put into the storage of the page
 * (row A-01) once, before its first navigation, so that tokens that the page renews are not overwritten.
 */
export async function pageOf(browser: Browser, { api, user_id, email }: Customer): Promise<Page> {
  const stored = {
    user: JSON.stringify({ id: user_id, display: email, email }),
    access_token: must(api.access_token),
    refresh_token: must(api.refresh_token),
    session_token: must(api.session_token),
  }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const context = await browser.newContext({
    baseURL: api.url,
    viewport: { width: 1280, height: 800 },
    storageState: { cookies: [], origins: [{ origin: api.url, localStorage }] },
  })
  context.setDefaultTimeout(LATEST_ms)
  return context.newPage()
}

/** Opens a page and waits for its live stream, which the page opens once the browser is idle. */
export async function openLive(page: Page, address: string): Promise<void> {
  const isStream = (url: string) => new URL(url).pathname === events.path
  await Promise.all([page.waitForResponse((response) => isStream(response.url())), page.goto(address)])
}

/** Returns the time at which a text appeared in a part of the page, checked at each frame. */
export async function seen(page: Page, part: string, text: string): Promise<number> {
  const look = ([selector = '', wanted = '']: string[]) =>
    document.querySelector(selector)?.textContent.includes(wanted) ? Date.now() : undefined
  try {
    const found = await page.waitForFunction(look, [part, text])
    return must(await found.jsonValue())
  } catch (error) {
    throw new Error(`“${text}” did not appear in ${part} of ${page.url()}`, { cause: error })
  }
}

/** Calls `act`, which presses a key or clicks. Returns the time at which the page received the event; listens for it before `act`. */
export async function receivedEvent(
  page: Page,
  type: 'keydown' | 'click',
  act: () => Promise<void>,
): Promise<number> {
  const listening = await page.evaluateHandle((name) => {
    const at = new Promise<number>((resolve) => {
      document.addEventListener(name, () => resolve(Date.now()), { once: true, capture: true })
    })
    return { at }
  }, type)
  await act()
  return inTime(
    listening.evaluate(({ at }) => at),
    `a ${type}`,
  )
}

/** Throws if the promise takes longer than `latest_ms`: Playwright itself would wait for ever. */
export async function inTime<T>(promise: Promise<T>, what: string, latest_ms = LATEST_ms): Promise<T> {
  const over = new AbortController()
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${what} did not come within ${latest_ms} ms`)),
      latest_ms,
    )
    over.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  return Promise.race([promise, late]).finally(() => over.abort())
}
