import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { findNewLooks, forgetLooks, type Theme } from './looks.ts'

/** The source of the minified axe, which a browser parses in half the time. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export const widths = [360, 768, 1280] as const
type Width = (typeof widths)[number]

/** The rules of WCAG 2.0 to 2.2, levels A and AA, and the best practices of axe. */
const everyRule: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
const colours = ['color-contrast', 'link-in-text-block']
/** The rules about colours, the only ones that another theme can break. */
const rulesOfColours: RunOptions = { runOnly: colours }
const otherRules: RunOptions = {
  ...everyRule,
  rules: Object.fromEntries(colours.map((rule) => [rule, { enabled: false }])),
}

/** Expects that axe finds no fault on the page, or on the elements in `window.newLooks` only (looks.ts). */
export async function expectAccessible(
  page: Page,
  where: string,
  rules = everyRule,
  part: 'all' | 'new looks' = 'all',
): Promise<void> {
  // Sticky bars lie over content that can be scrolled out from under them; axe would count the content as covered.
  const hasAxe = await page.evaluate(() => {
    for (const bar of document.querySelectorAll<HTMLElement>('body header, body footer'))
      if (getComputedStyle(bar).position === 'sticky') bar.style.position = 'static'
    return 'axe' in window
  })
  // Each document needs the source of axe once.
  if (!hasAxe) await page.evaluate(source)
  const found = await page.evaluate(
    async ({ options, isPart }) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe
      const context = isPart ? { include: window.newLooks ?? [] } : document
      // Naming elements takes a third of the time, so elements are named only after a violation.
      const unnamed = await run(context, { ...options, selectors: false })
      if (unnamed.violations.length === 0) return []
      const { violations } = await run(context, options)
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      )
    },
    { options: { ...rules, resultTypes: ['violations'] } satisfies RunOptions, isPart: part !== 'all' },
  )
  expect(found, where).toEqual([])
}

type Looks = {
  at?: readonly Width[]
  /** An element that the caller has opened, such as a dialog: it must still be visible when the window has another size. */
  open?: Locator
}

/**
 * Expects, at each width and in both themes, that axe finds nothing and that nothing scrolls sideways. Does not load the page again, and
 * leaves it at the last width, in the light theme.
 */
export async function expectAccessibleEverywhere(
  page: Page,
  where: string,
  { at = widths, open }: Looks = {},
): Promise<void> {
  await forgetLooks(page)
  for (const [index, width] of at.entries()) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    if (open) await expect(open.first(), `${where} at ${width}`).toBeVisible()
    const scrolls = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    await expect.poll(scrolls, `${where} at ${width} scrolls sideways`).toBe(false)
    // The theme changes once at each width, which begins with the theme of the width before.
    const themes: Theme[] = index % 2 === 0 ? ['light', 'dark'] : ['dark', 'light']
    for (const theme of themes) {
      await showsTheme(page, theme)
      if (theme === 'light') await expectAccessible(page, `${where} at ${width}`, otherRules)
      await expectColours(page, `${where} at ${width}, ${theme}`, theme)
    }
  }
  await showsTheme(page, 'light')
}

/** Checks the colours of the elements whose looks are new. Most elements look as at the last width, where they were checked. */
async function expectColours(page: Page, where: string, theme: Theme): Promise<void> {
  if ((await findNewLooks(page, theme)) > 0) await expectAccessible(page, where, rulesOfColours, 'new looks')
}

async function showsTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}
