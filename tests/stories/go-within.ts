import type { Page } from '@playwright/test'

/**
 * Goes to a page within the app, as a link does: starting the app anew for each page would take longer than the check. The heading of the
 * page that is left gets the attribute `data-left`. Pages of one area may share their heading, which then does not show that the page has
 * changed: between two of them the app starts anew. So it does after the page for signing in, since a story signs in at a start.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  const { protocol, pathname } = new URL(page.url())
  if (protocol === 'about:' || ['auth', areaOf(path)].includes(areaOf(pathname))) {
    await page.goto(path)
    return
  }
  await page.evaluate((next) => {
    document.querySelector('h1')?.setAttribute('data-left', '')
    history.pushState(null, '', next)
  }, path)
}

/** The heading of the page that is shown, not of one that was left by `goWithin`. */
export const headingOf = (page: Page) => page.locator('h1:not([data-left])')

/** Returns 'tickets', for example. */
const areaOf = (path: string) => path.split(/[/?]/)[2] ?? ''
