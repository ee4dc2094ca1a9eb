import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'

const en = { locale: 'en' } as const

/** A member of staff with a mouse, whose presses are counted; typing and choosing from a list are not. */
export class Week {
  readonly page: Page
  private presses = 0

  constructor(page: Page) {
    this.page = page
  }

  /** Does a task, and expects it to take so many presses at most. */
  async task(what: string, most: number, work: () => Promise<void>): Promise<void> {
    this.presses = 0
    await test.step(what, work)
    process.stdout.write(`presses to ${what}: ${this.presses}\n`)
    expect(this.presses, what).toBeLessThanOrEqual(most)
  }

  /** Opens a page of the menu. */
  async opens(name: string): Promise<void> {
    const menu = this.page.getByRole('navigation', { name: m.shell_navigation({}, en) })
    await this.press(menu.getByRole('link', { name, exact: true }))
    await expect(this.page.getByRole('heading', { level: 1, name })).toBeVisible()
  }

  async press(what: Locator): Promise<void> {
    this.presses += 1
    await what.click()
  }

  /** Presses a button that saves a file. Returns its lines. */
  async saves(button: Locator): Promise<string[]> {
    const file = this.page.waitForEvent('download')
    await this.press(button)
    return readFileSync(await (await file).path(), 'utf8').split('\r\n')
  }
}
