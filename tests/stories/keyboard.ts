import type { Locator, Page } from '@playwright/test'
import { expect } from '#tests/harness/story.ts'

/** Uses a page by keys alone: reaches elements by Tab and arrows, and expects that the focus is never on the body, where no key works. */
export class Keyboard {
  readonly page: Page
  /** True until the first step in a new document, which begins with the focus on the body. Later, the focus must not be there. */
  #isNew = true

  constructor(page: Page) {
    this.page = page
    page.on('domcontentloaded', () => {
      this.#isNew = true
    })
  }

  /** Moves the focus to the element by Tab, from where the focus is now. */
  async reaches(target: Locator): Promise<void> {
    await expect(target).toBeVisible()
    if (!this.#isNew) expect(await this.focused(), `on the way to ${String(target)}`).not.toBe('BODY')
    this.#isNew = false
    const seen: string[] = []
    for (let step = 0; step < FAR; step += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.page.keyboard.press('Tab')
      seen.push(await this.page.evaluate(() => document.activeElement?.textContent?.slice(0, 30) ?? ''))
    }
    throw new Error(`no Tab leads to ${String(target)}: ${seen.join(' | ')}`)
  }

  async types(target: Locator, text: string): Promise<void> {
    await this.reaches(target)
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.type(text)
    await this.holdsFocus(`after typing ${text}`)
  }

  /** Presses Enter on a button or link. Does not wait for the result: the next step does, and begins from the focus. */
  async presses(target: Locator): Promise<void> {
    await this.reaches(target)
    const name = String(target)
    await this.page.keyboard.press('Enter')
    await this.holdsFocus(`after ${name}`)
  }

  /** Chooses a radio button: Tab stops at a group once, and arrows choose in it. */
  async chooses(wanted: Locator): Promise<void> {
    await expect(wanted).toBeAttached()
    const inGroup = (radio: Element) =>
      radio.getAttribute('name') === document.activeElement?.getAttribute('name')
    for (let step = 0; step < FAR && !(await wanted.evaluate(inGroup)); step += 1)
      await this.page.keyboard.press('Tab')
    for (let step = 0; step < FAR && !(await wanted.isChecked()); step += 1)
      await this.page.keyboard.press('ArrowDown')
    await expect(wanted).toBeChecked()
    await this.holdsFocus('after choosing')
  }

  /** Expects the focus on an element other than the body. A dialog that closes or a change of page may remove it for a moment. */
  async holdsFocus(when: string): Promise<void> {
    await expect(this.page.locator('[aria-busy=true]'), when).toHaveCount(0)
    await expect.poll(() => this.focused(), { message: `${when} the focus is on something` }).not.toBe('BODY')
  }

  private focused(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.tagName ?? 'BODY')
  }
}

const FAR = 80
