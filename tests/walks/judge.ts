import type { Page } from '@playwright/test'
import { everyRule, faultsByAxe, rulesOfColours, showsTheme } from '#tests/harness/axe.ts'
import { addWalk } from './openers.ts'
import { faultsOfChosen, faultsOfFocus } from './contrast.ts'
import { report } from './report.ts'
import { faultsOfKeys } from './keys.ts'
import { faultsOfReflow, faultsOfSpacing } from './spacing.ts'

/** The looks of things whose focus was compared in this process. */
const comparedLooks = new Set<string>()

const HEIGHT = 900
export const WIDE = { width: 1280, height: HEIGHT }

/** Returns what is wrong with the page and what is open on it: in each theme, at each width, by key; `wholly` or in its sizes alone. */
export async function judge(page: Page, wholly: boolean): Promise<string[]> {
  const found: string[] = []
  const add = (where: string, faults: string[]) => found.push(...faults.map((fault) => `${where}: ${fault}`))
  if (wholly) {
    add('light', await faultsByAxe(page, everyRule))
    await showsTheme(page, 'dark')
    add('dark', await faultsByAxe(page, rulesOfColours))
    await showsTheme(page, 'light')
    await page.emulateMedia({ forcedColors: 'active' })
    add('forced colours', await faultsByAxe(page, rulesOfColours))
    add('forced colours', await faultsOfChosen(page))
    await page.emulateMedia({ forcedColors: 'none' })
  }
  const size = page.viewportSize() ?? WIDE
  add(`spacing at ${size.width} px`, await faultsOfSpacing(page))
  await page.setViewportSize({ width: 390, height: HEIGHT })
  add('spacing at 390 px', await faultsOfSpacing(page))
  await page.setViewportSize({ width: 320, height: HEIGHT })
  add('at 320 px', await faultsOfReflow(page))
  await page.setViewportSize(size)
  return found
}

/** Returns what is wrong for whoever uses keys alone. It moves the focus. */
export async function judgeKeys(page: Page): Promise<string[]> {
  const found = (await faultsOfKeys(page)).map((fault) => `keys: ${fault}`)
  await page.emulateMedia({ forcedColors: 'active' })
  for (const fault of await faultsOfFocus(page, comparedLooks)) found.push(`forced colours: ${fault}`)
  await page.emulateMedia({ forcedColors: 'none' })
  return found
}

/** Judges what a story has opened, if `npm run test:walks` runs the story. */
export async function judgeInWalks(page: Page): Promise<string[]> {
  if (!report.isWanted) return []
  await page.evaluate(addWalk)
  const title = await page.evaluate(() => window.walk.title())
  report.writes({ titles: [title], judged: 1, opened: 1, faults: [] })
  return judge(page, true)
}
