import type { Locator, Page } from '@playwright/test'
import type { Locale } from '#foundation/locale.ts'
import { expect } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { Keyboard } from './keyboard.ts'
import { goByKeys } from './staff-at-desk.ts'

const MOST_STEPS = 4

/**
 * The actions of a member of staff on an ordinary day, without a pointer. Counts the steps of each action: the way to a page, and each link
 * or button until its form, which is filled by Tab and letters alone.
 */
export class DayAtDesk {
  private readonly page: Page
  private readonly locale: Locale
  private readonly keyboard: Keyboard
  private steps = 0

  constructor(page: Page, locale: Locale) {
    this.page = page
    this.locale = locale
    this.keyboard = new Keyboard(page)
  }

  async go(letter: string, heading: string): Promise<void> {
    this.steps = 1
    await this.page.locator('body').press('Escape')
    await goByKeys(this.page, letter, heading)
  }

  async goByPalette(heading: string): Promise<void> {
    await this.choose(heading)
    await expect(this.page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }

  /** Chooses an entry of the palette by these words: a page, or an action. */
  async choose(words: string): Promise<void> {
    this.steps = 1
    await this.page.keyboard.press('ControlOrMeta+K')
    await expect(
      this.page.getByRole('combobox', { name: m.shell_palette_search({}, { locale: this.locale }) }),
    ).toBeFocused()
    await this.page.keyboard.type(words)
    await expect(this.page.getByRole('option', { name: words, selected: true })).toBeVisible()
    await this.page.keyboard.press('Enter')
  }

  /** Types a text into the first search of the page, or into this one, and expects the list to show it. */
  async search(text: string, into?: Locator): Promise<void> {
    await (into ? into.focus() : this.page.keyboard.press('/'))
    await this.page.keyboard.type(text)
    await expect(this.page).toHaveURL(/(q|reference)=/)
    await expect(this.page.locator('#content').getByText(text).first()).toBeVisible()
  }

  async press(what: Locator): Promise<void> {
    this.steps += 1
    expect(this.steps, 'steps from the desk').toBeLessThanOrEqual(MOST_STEPS)
    // The element can be reached without a pointer.
    expect(await what.evaluate((element) => (element as HTMLElement).tabIndex)).toBe(0)
    await what.press('Enter')
  }

  /** Types values into fields of the open dialog, or of the page. `given` alternates names and values; Tab leads from field to field. */
  async type(...given: string[]): Promise<void> {
    const dialog = this.page.getByRole('dialog')
    const within = (await dialog.count()) > 0 ? dialog : this.page.locator('#content')
    for (let nth = 0; nth < given.length; nth += 2)
      await this.give(within.locator(`[name="${given[nth]}"]`), given[nth + 1] ?? '')
  }

  private async give(field: Locator, value: string): Promise<void> {
    await this.keyboard.reaches(field)
    const { isDate, away } = await field.evaluate((element, wanted) => {
      const type = element.getAttribute('type') ?? ''
      if (!(element instanceof HTMLSelectElement)) return { isDate: type.startsWith('date'), away: undefined }
      const options = [...element.options].map((one) => one.value)
      return { isDate: false, away: options.indexOf(wanted) - element.selectedIndex }
    }, value)
    // The browser, not the page, decides how a date is typed.
    if (isDate) return field.fill(value)
    if (away === undefined) return this.keyboard.types(field, value)
    for (let step = 0; step < Math.abs(away); step += 1)
      await this.page.keyboard.press(away > 0 ? 'ArrowDown' : 'ArrowUp')
    await expect(field).toHaveValue(value)
  }

  /** Types values into the open dialog as `type` does, and sends the dialog by Enter. */
  async fill(...given: string[]): Promise<void> {
    await expect(this.page.getByRole('dialog')).toBeVisible()
    await this.type(...given)
    await this.page.keyboard.press('Enter')
    await expect(this.page.getByRole('dialog')).toBeHidden()
  }
}
