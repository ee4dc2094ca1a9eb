import type { Locator } from '@playwright/test'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from './new-customer.ts'
import { ServerCalls } from './server-calls.ts'

// The high contrast of Windows removes all backgrounds and gives every border the same colour: elements that are on, present or chosen
// must still differ from those that are not.
test.use({ viewport: { width: 1280, height: 900 } })

test('in forced colours one sees what is on, present and chosen, and dots', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  const { token } = await newCustomer(page, 'en', 'contrast')
  await new ServerCalls(page, token).adds('brave-otter-42')

  await page.goto('/account/servers/list')
  const rail = page.getByRole('navigation', { name: 'Main navigation' })
  await differs(rail.getByRole('link', { name: 'Servers' }), rail.getByRole('link', { name: 'Finances' }))
  await stands(rail.getByRole('link', { name: 'Servers' }))
  const dot = page.locator('main [data-dot]').first()
  await expect(dot).toBeVisible()
  expect(await ground(dot)).not.toBe(await ground(page.locator('html')))
  await page.getByRole('button', { name: 'New server' }).first().click()
  const kind = page
    .getByRole('dialog')
    .locator('label')
    .filter({ has: page.locator('[name=kind]') })
  await differs(kind.first(), kind.nth(1))
  await stands(kind.first())
  await page.keyboard.press('Escape')

  await page.goto('/account/tickets')
  const tabs = page.getByRole('navigation', { name: 'Tickets' })
  await differs(tabs.getByRole('link', { name: 'Open' }), tabs.getByRole('link', { name: 'Closed' }))
  await stands(tabs.getByRole('link', { name: 'Open' }))

  await page.goto('/account/settings/account')
  const [first, second] = [page.getByRole('switch').first(), page.getByRole('switch').nth(1)]
  if ((await first.getAttribute('aria-checked')) === (await second.getAttribute('aria-checked')))
    await second.click()
  await expect(second).not.toHaveAttribute('aria-checked', (await first.getAttribute('aria-checked')) ?? '')
  await differs(first, second)
  for (const control of [first, second])
    expect(await ground(control.locator('span'))).not.toBe(await ground(control))
})

const ground = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor)

/** Expects different background colours, once transitions are over. */
async function differs(one: Locator, other: Locator): Promise<void> {
  await expect(one).toBeVisible()
  await expect.poll(async () => (await ground(one)) === (await ground(other))).toBe(false)
}

/** Expects that the chosen element and the words in it have the two colours that the person's system gives to what is chosen. */
async function stands(chosen: Locator): Promise<void> {
  const read = () =>
    chosen.evaluate((element) => {
      const sample = document.createElement('i')
      sample.style.cssText = 'forced-color-adjust: none; background: Highlight; color: HighlightText'
      document.body.append(sample)
      const { backgroundColor, color } = getComputedStyle(sample)
      sample.remove()
      const words = [element, ...element.querySelectorAll('span, svg')]
      return {
        ground: getComputedStyle(element).backgroundColor === backgroundColor,
        words: words.every((word) => getComputedStyle(word).color === color),
      }
    })
  await expect.poll(read).toEqual({ ground: true, words: true })
}
