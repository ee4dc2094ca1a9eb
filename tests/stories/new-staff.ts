import { execFileSync } from 'node:child_process'
import type { Browser, Page } from '@playwright/test'
import type { Locale } from '#foundation/locale.ts'
import { newCustomer } from './new-customer.ts'

export type NewStaff = { page: Page; email: string; token: string }

/** Makes a new member of staff, signed in in a browser of their own: nobody else's story is in their bell or among their tickets. */
export async function newStaff(browser: Browser, locale: Locale): Promise<NewStaff> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const { email, token } = await newCustomer(page, locale, 'staff-story')
  execFileSync(process.execPath, ['app/cli/main.ts', 'create-staff', email], {
    env: { ...process.env, DATA_DIR: process.env['STORY_DATA_DIR'] },
  })
  return { page, email, token }
}
