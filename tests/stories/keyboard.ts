import type { Locator, Page } from '@playwright/test'
import { expect } from '#tests/harness/story.ts'

/** Somebody who has no pointer: reaches things by Tab and arrows only, and is never left where no key does anything. */
export class Keyboard {
  readonly page: Page
  /** A document that has just come has the focus nowhere: only what is done on it must keep it. */
  #isNew = true

  constructor(page: Page) {
    this.page = page
    page.on('domcontentloaded', () => {
      this.#isNew = true
    })
  }

  /** Walks forward to the thing, from where the focus is. */
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

  /** Enter on a button or link; what it leads to is waited for by the next step, which begins from the focus. */
  async presses(target: Locator): Promise<void> {
    await this.reaches(target)
    const name = String(target)
    await this.page.keyboard.press('Enter')
    await this.holdsFocus(`after ${name}`)
  }

  /** Tab stops at a group of radios once; arrows choose in it. */
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

  /** The focus is on something, once the page is at rest: a closing dialog or a change of page may take it along for a moment. */
  async holdsFocus(when: string): Promise<void> {
    await expect(this.page.locator('[aria-busy=true]'), when).toHaveCount(0)
    await expect.poll(() => this.focused(), { message: `${when} the focus is on something` }).not.toBe('BODY')
  }

  private focused(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.tagName ?? 'BODY')
  }
}

const FAR = 80
