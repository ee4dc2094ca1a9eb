import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { anyAddress, ServerCalls } from '#tests/stories/server-calls.ts'
import { m } from '#texts/messages.js'
import type { Locale } from '#foundation/locale.ts'
import { Visitor } from '#tests/stories/visitor.ts'

const locale: Locale = 'en'
test.use({ locale: browserLocales[locale], viewport: { width: 360, height: 800 } })

test('L-28 three servers are ordered at once and renewed at once by the keyboard, and a refused one is taken out', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { token } = await newCustomer(page, locale)
  const visitor = new Visitor(page, locale)
  const calls = new ServerCalls(page, token)
  await calls.paysIn('20000')
  await page.goto('/account/servers/list?act=order')
  const dialog = page.getByRole('dialog')
  // The keyboard is used, because the dialog moves while it opens and a click could miss.
  const several = dialog.getByRole('radio', { name: visitor.text(m.sales_several) })
  await several.focus()
  await page.keyboard.press('Space')
  await expect(several).toBeChecked()
  const lines = dialog.getByRole('textbox', { name: visitor.text(m.sales_several_lines) })
  await lines.fill(`one ${anyAddress()}\ntwo ${anyAddress()}\nthree`)
  await expect(dialog).toContainText('Line 3 needs an IPv4 address')
  await lines.fill(`one ${anyAddress()}\ntwo ${anyAddress()}\nthree ${anyAddress()}`)
  const order = dialog.getByRole('button', { name: /^Order for/ })
  await expect(order, 'the price is there before Enter pays').toBeEnabled()
  await expectAccessible(page, 'several servers with their prices')
  await order.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await calls.adds('bare')
  await page.goto('/account/servers/list')
  for (const name of ['bare', 'one', 'two', 'three']) {
    const box = page.getByRole('checkbox', { name: m.hosts_select({ name }, { locale }) })
    await box.focus()
    await page.keyboard.press('Space')
    await expect(box).toBeChecked()
  }
  const bar = page.getByRole('region', { name: visitor.text(m.hosts_selection) })
  await expect(bar).toContainText('4 servers selected')
  await bar.getByRole('button', { name: visitor.text(m.sales_bulk_renew), exact: true }).click()
  await expect(dialog).toContainText('bare: This server has no licence yet')
  await expect(dialog.getByRole('button', { name: /^Renew for/ })).toBeDisabled()
  await expectAccessible(page, 'a refused server of several')
  await dialog.getByRole('button', { name: m.sales_bulk_take_out({ name: 'bare' }, { locale }) }).click()
  const renew = dialog.getByRole('button', { name: /^Renew for/ })
  await expect(renew).toBeEnabled()
  await renew.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(bar).toBeHidden()
  await page.goto('/account/finances')
  await expect(page.getByText('Renewal of 3 licences')).toBeVisible()
  await expect(page.getByText('3 licences', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Renewal of 3 licences' }).click()
  for (const name of ['one', 'two', 'three'])
    await expect(page.getByText(`Starter licence for ${name} – renewal`)).toBeVisible()
})
