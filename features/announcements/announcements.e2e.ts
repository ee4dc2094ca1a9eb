import { olivia } from '#app/seed/people.ts'
import { locales } from '#foundation/locale.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import * as m from '#texts/messages.js'

test('staff announce maintenance from a phone, in each language and by keyboard alone; the customer reads it at once', async ({
  page,
  browser,
}) => {
  test.setTimeout(90_000)
  const customer = await newCustomer(page, 'de', 'announced')
  const headers = { authorization: `Bearer ${customer.token}` }
  const ipv4 = `198.18.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250) + 1}`
  const added = await page.request.post('/api/hosts/', { headers, data: { name: 'announced', ipv4 } })
  expect(added.status()).toBe(201)
  await page.goto('/account/servers/list')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  for (const locale of locales) {
    const context = await browser.newContext({ locale, viewport: { width: 360, height: 740 } })
    const staff = await context.newPage()
    await staff.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
    await signIn(staff, olivia)
    await staff.goto('/account/staff-tickets/')
    await expect(staff.getByRole('heading', { level: 1 })).toBeVisible()
    await staff.keyboard.press('ControlOrMeta+K')
    await expect(staff.getByRole('combobox')).toBeFocused()
    await staff.keyboard.type(m.announcements_new({}, { locale }))
    await staff.keyboard.press('Enter')
    const dialog = staff.getByRole('dialog')
    await expect(dialog).toContainText(m.announcements_times_hint({}, { locale }))
    await dialog.locator('[name=starts_at]').fill('2099-11-29T02:00')
    await dialog.locator('[name=ends_at]').fill('2099-11-29T04:30')
    for (const language of locales) {
      await dialog.locator(`[name="title.${language}"]`).fill(`${language} ${locale}`)
      await dialog.locator(`[name="text.${language}"]`).fill('…')
    }
    await dialog.locator('[name=scope]').selectOption('hosts')
    await dialog.locator('[name=hosts]').fill(ipv4)
    await expectAccessible(staff, `the form in ${locale}`)
    await dialog.getByRole('button', { name: m.announcements_check({}, { locale }) }).press('Enter')
    await expect(dialog).toContainText(m.announcements_reach_page({ count: 1 }, { locale }))
    await expectAccessible(staff, `the preview in ${locale}`)
    const publish = dialog.getByRole('button', { name: m.announcements_publish({}, { locale }) })
    await publish.press('Enter')
    await expect(staff.getByText(m.announcements_published_done({}, { locale })).first()).toBeVisible()
    await context.close()
    await expect(page.getByRole('status').getByText(`Wartung: de ${locale}`)).toBeVisible()
  }
  const hide = page.getByRole('button', { name: m.announcements_hide({ title: 'de en' }, { locale: 'de' }) })
  await hide.press('Enter')
  await expect(page.getByText('Wartung: de en')).toBeHidden()
  await page.reload()
  await expect(page.getByText('Wartung: de ru')).toBeVisible()
  await expect(page.getByText('Wartung: de en')).toBeHidden()
  await expectAccessible(page, 'a page with announcements')
})
