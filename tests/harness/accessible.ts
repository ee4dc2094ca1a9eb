import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { findNewLooks, structureOf, type Theme } from './looks.ts'

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
  // The last one asks a person to look, and never fails.
  rules: Object.fromEntries([...colours, 'hidden-content'].map((rule) => [rule, { enabled: false }])),
}

/** The other rules that the width alone can break: elements that come nearer to each other, or begin to scroll. */
const rulesOfWidth: RunOptions = { runOnly: ['target-size', 'scrollable-region-focusable'] }

/** The looks that were judged in this process and found good: they are no other on the next page. */
const goodLooks: Record<Theme, Set<string>> = { light: new Set(), dark: new Set() }

/** Expects that axe finds no fault on the page, or on the elements in `window.newLooks` only (looks.ts). */
export async function expectAccessible(
  page: Page,
  where: string,
  rules = everyRule,
  part: 'all' | 'new looks' = 'all',
): Promise<void> {
  // Each document needs the source of axe once.
  if (!(await freesContent(page))) await page.evaluate(source)
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

/**
 * Lets sticky bars lie where they stand: content can be scrolled out from under them, and axe would count it as covered. Returns true if the
 * document has axe.
 */
const freesContent = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    for (const bar of document.querySelectorAll<HTMLElement>('body header, body footer'))
      if (getComputedStyle(bar).position === 'sticky') bar.style.position = 'static'
    return 'axe' in window
  })

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
  const structures = new Set<string>()
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
      if (theme === 'light') {
        await freesContent(page)
        const structure = await structureOf(page)
        const rules = structures.has(structure) ? rulesOfWidth : otherRules
        await expectAccessible(page, `${where} at ${width}`, rules)
        structures.add(structure)
      }
      await expectColours(page, `${where} at ${width}, ${theme}`, theme)
    }
  }
  await showsTheme(page, 'light')
}

/** Checks the colours of the elements whose looks are new. Most elements look as others on the page before, where they were checked. */
async function expectColours(page: Page, where: string, theme: Theme): Promise<void> {
  const looks = await findNewLooks(page, goodLooks[theme])
  if (await page.evaluate(() => window.newLooks?.length === 0)) return
  await expectAccessible(page, where, rulesOfColours, 'new looks')
  for (const look of looks) goodLooks[theme].add(look)
}

async function showsTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}
