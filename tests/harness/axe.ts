import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import type { Theme } from './looks.ts'

/** The source of the minified axe, which a browser parses in half the time. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The rules of WCAG 2.0 to 2.2, levels A and AA, and the best practices of axe. */
export const everyRule: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
export const colours = ['color-contrast', 'link-in-text-block']
/** The rules about colours, the only ones that another theme can break. */
export const rulesOfColours: RunOptions = { runOnly: colours }
/** Returns what axe finds on the page, or on the elements in `window.newLooks` only. */
export async function faultsByAxe(page: Page, rules: RunOptions, part?: 'new looks'): Promise<string[]> {
  // Each document needs the source of axe once.
  if (!(await freesContent(page))) await page.evaluate(source)
  return page.evaluate(
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
    { options: { ...rules, resultTypes: ['violations'] } satisfies RunOptions, isPart: part !== undefined },
  )
}

/**
 * Lets sticky bars lie where they stand: content can be scrolled out from under them, and axe would count it as covered. Returns true if the
 * document has axe.
 */
export const freesContent = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    for (const bar of document.querySelectorAll<HTMLElement>('body header, body footer'))
      if (getComputedStyle(bar).position === 'sticky') bar.style.position = 'static'
    return 'axe' in window
  })

export async function showsTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}
