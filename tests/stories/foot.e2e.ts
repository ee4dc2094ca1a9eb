import type { Locator, Page } from '@playwright/test'
import { anna } from '#app/seed/people.ts'
import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { signIn } from './sign-in.ts'

const en = { locale: 'en' } as const

for (const width of [360, 768, 1280])
  test.describe(`at the foot of a window of ${width} px`, () => {
    test.use({ viewport: { width, height: 700 } })

    test('the note that the network is away covers no content of a page that is scrolled to its end', async ({
      page,
      context,
    }) => {
      await signIn(page, anna)
      await page.goto('/account/finances')
      // An announcement stands at the foot of the window as well, so it is hidden first.
      await page.getByRole('button', { name: /^Hide/ }).click()
      await expect(page.getByRole('button', { name: m.ui_load_more({}, en) })).toBeVisible()
      await expect(notices(page)).toBeAttached()
      await context.setOffline(true)
      const note = page.getByText(m.ui_offline({}, en))
      await expect(note).toBeVisible()
      await expectNothingUnder(page, note)
      await context.setOffline(false)
      await expect(note).toBeHidden()
      await expect(page.locator('html'), 'the space goes with the note').not.toHaveAttribute(
        'data-space-at-end',
      )
    })

    test('nor does it cover a bar that saves, or lie between it and the end of the form', async ({
      page,
      context,
    }) => {
      await signIn(page, anna)
      await page.goto('/account/settings/account')
      await page.getByLabel(m.profile_city({}, en)).fill('Lübeck')
      const bar = page.getByRole('region', { name: m.ui_unsaved({}, en) })
      await expect(bar).toBeVisible()
      await expect(notices(page)).toBeAttached()
      await context.setOffline(true)
      const note = page.getByText(m.ui_offline({}, en))
      await expect(note).toBeVisible()
      await expectApart(note, bar)
      await expectNothingUnder(page, note)
      await expectNothingUnder(page, bar)
      await context.setOffline(false)
    })
  })

test('R-07 a reset link opened by somebody who is signed in shows what to do: a notice that stays, and covers nothing of a page that is scrolled to its end, on a wide screen', async ({
  page,
}) => {
  await signIn(page, anna)
  await page.goto('/account/auth?reset=some-key')
  await expect(page).toHaveURL('/account/servers/list')
  const notice = page.getByText(m.shell_reset_signed_in({}, en))
  await expect(notice).toBeVisible()
  await page.getByRole('link', { name: m.shell_finances({}, en) }).click()
  await expect(page.getByRole('button', { name: m.ui_load_more({}, en) })).toBeVisible()
  await expectNothingUnder(page, page.locator('[data-toast]'))
})

const notices = (page: Page): Locator => page.locator('.toasts')

/** Expects no text or field under the element at the end of the page, where nothing can be scrolled out from under it any more. */
async function expectNothingUnder(page: Page, element: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      return element.evaluate((over) => {
        const own = over.getBoundingClientRect()
        const isUnder = ({ top, bottom, left, right }: DOMRect) =>
          top < own.bottom - 1 && bottom > own.top + 1 && left < own.right && right > own.left
        return [...document.querySelectorAll<HTMLElement>('main *, footer *')]
          .filter(
            (inner) => inner.childElementCount === 0 && !over.contains(inner) && inner.checkVisibility(),
          )
          .filter((inner) => inner.matches('input, select') || (inner.textContent ?? '').trim() !== '')
          .filter((inner) => isUnder(inner.getBoundingClientRect()))
          .map((inner) => inner.textContent ?? inner.tagName)
      })
    })
    .toEqual([])
}

async function expectApart(one: Locator, other: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const [first, second] = [await one.boundingBox(), await other.boundingBox()]
      return first && second && (first.y + first.height <= second.y || second.y + second.height <= first.y)
    })
    .toBe(true)
}
