import { expect, type Locator, type Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { judgeInWalks } from '#tests/walks/judge.ts'
import { colours, everyRule, faultsByAxe, freesContent, rulesOfColours, showsTheme } from './axe.ts'
import { findNewLooks, structureOf, type Theme } from './looks.ts'

/** The narrowest and the widest layout. The layout between is made of parts of both; `at` names it where a part is its own. */
export const widths = [360, 1280] as const
type Width = (typeof widths)[number] | 768

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
  part?: 'new looks',
): Promise<void> {
  expect(await faultsByAxe(page, rules, part), where).toEqual([])
  if (rules === everyRule) expect(await judgeInWalks(page), where).toEqual([])
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
  const structures = new Set<string>()
  for (const [index, width] of at.entries()) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    if (open) await expect(open.first(), `${where} at ${width}`).toBeVisible()
    expect(await unequalHeads(page), `heads in ${where} at ${width}`).toEqual([])
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

/** Returns the buttons in the heads of the page and its cards if they differ in height; a long text on a phone has two lines. */
const unequalHeads = (page: Page): Promise<string[]> =>
  page.locator('main header :is(a, button).border').evaluateAll((buttons) => {
    const heights = buttons
      .filter((button) => innerWidth >= 768 && button.checkVisibility())
      .map((button) => [button.textContent, button.getBoundingClientRect().height] as const)
    return new Set(heights.map(([, height]) => height)).size > 1 ? heights.map(String) : []
  })

/** Checks the colours of the elements whose looks are new. Most elements look as others on the page before, where they were checked. */
async function expectColours(page: Page, where: string, theme: Theme): Promise<void> {
  const looks = await findNewLooks(page, goodLooks[theme])
  if (await page.evaluate(() => window.newLooks?.length === 0)) return
  await expectAccessible(page, where, rulesOfColours, 'new looks')
  for (const look of looks) goodLooks[theme].add(look)
}
