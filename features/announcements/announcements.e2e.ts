import { olivia } from '#app/seed/people.ts'
import { changeMailPreferences } from '#features/profile/contract.ts'
import { locales } from '#foundation/locale.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { must } from '#foundation/must.ts'
import { expect, readMail, test } from '#tests/harness/story.ts'
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
  await page.goto('/account/settings/account')
  const saved = page.waitForResponse(
    (reply) => reply.url().endsWith(changeMailPreferences.path) && reply.request().method() === 'PATCH',
  )
  await page.getByRole('switch', { name: m.profile_mails_news({}, { locale: 'de' }) }).press('Enter')
  // A page that is left at once takes the call with it.
  await saved
  await page.goto('/account/servers/list')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  // Two announcements: one is hidden later, the other stays.
  for (const locale of ['en', 'ru'] as const) {
    const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
    const day = new DayAtDesk(staff, locale)
    if (locale === 'en') await day.choose(m.announcements_new({}, { locale }))
    else {
      // News in one language to those whom the list of customers finds: three presses from the list.
      await day.go('c', m.shell_customers({}, { locale }))
      await day.search(customer.email)
      await day.press(staff.getByRole('link', { name: m.customers_write_to_found({}, { locale }) }))
    }
    const dialog = staff.getByRole('dialog')
    await expect(dialog).toContainText(m.announcements_times_hint({}, { locale }))
    const kind = locale === 'en' ? 'maintenance' : 'news'
    await day.type('kind', kind, 'starts_at', '2099-11-29T02:00', 'ends_at', '2099-11-29T04:30')
    for (const language of locales)
      await day.type(`title.${language}`, `${language} ${locale}`, `text.${language}`, '…')
    await (locale === 'en' ? day.type('scope', 'hosts', 'hosts', ipv4) : day.type('language', 'de'))
    await expectAccessible(staff, `the form in ${locale}`)
    await day.press(dialog.getByRole('button', { name: m.announcements_check({}, { locale }) }))
    const reach =
      locale === 'en'
        ? m.announcements_reach_page({ count: 1 }, { locale })
        : m.announcements_reach({ count: 1, mails: 1 }, { locale })
    await expect(dialog).toContainText(reach)
    await expectAccessible(staff, `the preview in ${locale}`)
    await day.press(dialog.getByRole('button', { name: m.announcements_publish({}, { locale }) }))
    await expect(staff.getByText(m.announcements_published_done({}, { locale })).first()).toBeVisible()
    await staff.context().close()
    await expect(
      page.getByRole('status').getByText(locale === 'en' ? 'Wartung: de en' : 'Neuigkeit: de ru'),
    ).toBeVisible()
  }
  const hide = page.getByRole('button', { name: m.announcements_hide({ title: 'de en' }, { locale: 'de' }) })
  await hide.press('Enter')
  await expect(page.getByText('Wartung: de en')).toBeHidden()
  await page.addInitScript(watchShifts)
  await page.reload()
  await expect(page.getByText('Neuigkeit: de ru')).toBeVisible()
  await expect(page.getByRole('status').first()).toBeVisible()
  // The page begins with the notices that it kept from last time, and does not move when it fetches them again.
  expect(await page.evaluate(() => document.documentElement.dataset['moved'])).toBe(undefined)
  await expect(page.getByText('Wartung: de en')).toBeHidden()
  await expectAccessible(page, 'a page with announcements')

  // The letter leads whoever wants no more news to a page with one button.
  const { text } = await readMail(page, customer.email, /stop-news/)
  await page.goto(must(/\/account\/stop-news\S+/.exec(text ?? '')?.[0]))
  await page.getByRole('button', { name: m.profile_stop_news_action({}, { locale: 'de' }) }).press('Enter')
  await expect(page.getByText(m.profile_stop_news_done({}, { locale: 'de' }))).toBeVisible()
  await expectAccessible(page, 'the page that stops news')
})

/** Runs in the page: notes on its root element a layout shift that is larger than a font would cause. */
function watchShifts(): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('value' in entry && Number(entry.value) > 0.05)
        document.documentElement.dataset['moved'] = String(entry.value)
  }).observe({ type: 'layout-shift', buffered: true })
}
