import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'

/** The short form: a document reads it in half the time. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export const widths = [360, 768, 1280] as const
type Width = (typeof widths)[number]

/** WCAG 2.2 A and AA. */
const everyRule: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
/** The rules that look at colours: another theme can break no other. */
const rulesOfColours: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** axe finds nothing on the page as it is. */
export async function expectAccessible(page: Page, where: string, rules = everyRule): Promise<void> {
  // Bars that stay in view lie over what can be scrolled from under them; axe would count that as covered for good.
  await page.evaluate(() => {
    for (const bar of document.querySelectorAll<HTMLElement>('body header, body footer'))
      if (getComputedStyle(bar).position === 'sticky') bar.style.position = 'static'
  })
  // The source of axe is read once a document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(
    async (options) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      )
    },
    { ...rules, resultTypes: ['violations'] } satisfies RunOptions,
  )
  expect(found, where).toEqual([])
}

type Looks = {
  at?: readonly Width[]
  /** The element that is checked, where it opened: it must not close when the window changes its size. */
  open?: Locator
}

/**
 * At each width and in both themes, without loading the page again: axe finds nothing and nothing scrolls sideways.
 * Leaves the page at the last width, light.
 */
export async function expectAccessibleEverywhere(
  page: Page,
  where: string,
  { at = widths, open }: Looks = {},
): Promise<void> {
  for (const width of at) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    if (open) await expect(open.first(), `${where} at ${width}`).toBeVisible()
    const scrolls = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    await expect.poll(scrolls, `${where} at ${width} scrolls sideways`).toBe(false)
    await showsTheme(page, 'light')
    await expectAccessible(page, `${where} at ${width}`)
    await showsTheme(page, 'dark')
    await expectAccessible(page, `${where} at ${width}, dark`, rulesOfColours)
    await showsTheme(page, 'light')
  }
}

async function showsTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}
