import type { Browser, Page } from '@playwright/test'
import type { Person } from '#app/seed/people.ts'
import type { Locale } from '#foundation/locale.ts'
import { browserLocales, expect } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { signIn } from './sign-in.ts'

/** Opens the ticket desk for a member of staff, in a browser context of its own and in this language. */
export async function staffAtDesk(
  browser: Browser,
  person: Pick<Person, 'email' | 'password'>,
  { locale = 'en', width = 1280 }: { locale?: Locale; width?: number } = {},
): Promise<Page> {
  const context = await browser.newContext({
    locale: browserLocales[locale],
    viewport: { width, height: 800 },
  })
  const page = await context.newPage()
  await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
  await signIn(page, person)
  await page.goto('/account/staff-tickets/')
  await expect(page.getByRole('heading', { level: 1, name: m.shell_tickets({}, { locale }) })).toBeVisible()
  return page
}

/** Presses `g` and a letter, and expects the page with this heading. If a busy machine was too slow between the two keys, presses again. */
export async function goByKeys(page: Page, letter: string, heading: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible({ timeout: 10_000 })
  }).toPass()
}
