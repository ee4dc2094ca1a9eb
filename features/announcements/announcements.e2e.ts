import { olivia } from '#app/seed/people.ts'
import { locales } from '#foundation/locale.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { DayAtDesk } from '#tests/stories/day-at-desk.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import * as m from '#texts/messages.js'
import { ServerCalls } from '#tests/stories/server-calls.ts'

test('staff announce maintenance from a phone, by keyboard alone; the customer reads it at once', async ({
  page,
  browser,
}) => {
  const customer = await newCustomer(page, 'de', 'announced')
  const ipv4 = `198.18.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250) + 1}`
  await new ServerCalls(page, customer.token).adds('announced', ipv4)
  await page.goto('/account/servers/list')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  // Two announcements: one is hidden later, the other stays.
  for (const locale of ['en', 'ru'] as const) {
    const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
    const day = new DayAtDesk(staff, locale)
    await day.choose(m.announcements_new({}, { locale }))
    const dialog = staff.getByRole('dialog')
    await expect(dialog).toContainText(m.announcements_times_hint({}, { locale }))
    await day.type('starts_at', '2099-11-29T02:00', 'ends_at', '2099-11-29T04:30')
    for (const language of locales)
      await day.type(`title.${language}`, `${language} ${locale}`, `text.${language}`, '…')
    await day.type('scope', 'hosts', 'hosts', ipv4)
    await expectAccessible(staff, `the form in ${locale}`)
    await day.press(dialog.getByRole('button', { name: m.announcements_check({}, { locale }) }))
    await expect(dialog).toContainText(m.announcements_reach_page({ count: 1 }, { locale }))
    await expectAccessible(staff, `the preview in ${locale}`)
    await day.press(dialog.getByRole('button', { name: m.announcements_publish({}, { locale }) }))
    await expect(staff.getByText(m.announcements_published_done({}, { locale })).first()).toBeVisible()
    await staff.context().close()
    await expect(page.getByRole('status').getByText(`Wartung: de ${locale}`)).toBeVisible()
  }
  const hide = page.getByRole('button', { name: m.announcements_hide({ title: 'de en' }, { locale: 'de' }) })
  await hide.press('Enter')
  await expect(page.getByText('Wartung: de en')).toBeHidden()
  await page.addInitScript(watchShifts)
  await page.reload()
  await expect(page.getByText('Wartung: de ru')).toBeVisible()
  await expect(page.getByRole('status').first()).toBeVisible()
  // The page begins with the notices that it kept from last time, and does not move when it fetches them again.
  expect(await page.evaluate(() => document.documentElement.dataset['moved'])).toBe(undefined)
  await expect(page.getByText('Wartung: de en')).toBeHidden()
  await expectAccessible(page, 'a page with announcements')
})

/** Runs in the page: notes on its root element a layout shift that is larger than a font would cause. */
function watchShifts(): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('value' in entry && Number(entry.value) > 0.05)
        document.documentElement.dataset['moved'] = String(entry.value)
  }).observe({ type: 'layout-shift', buffered: true })
}
