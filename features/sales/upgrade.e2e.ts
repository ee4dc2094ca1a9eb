import type { Locale } from '#foundation/locale.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { passTimeFor } from '#tests/stories/story-database.ts'
import { Visitor } from '#tests/stories/visitor.ts'
import { m } from '#texts/messages.js'

const locale: Locale = 'en'
test.use({ locale: browserLocales[locale], viewport: { width: 360, height: 800 } })

test('L-16 an upgrade in the middle of a month, on a phone by the keyboard, with its credit note', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { token } = await newCustomer(page, locale)
  const visitor = new Visitor(page, locale)
  const calls = new ServerCalls(page, token)
  await calls.paysIn('20000')
  const host = await calls.orders('web-1', 'starter-month')
  await passTimeFor(host, 12)
  await page.goto(`/account/servers/host/${host}`)
  const opener = page.getByRole('button', { name: visitor.text(m.sales_change_plan), exact: true })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const pay = dialog.getByRole('button', { name: /^Upgrade for/ })
  await expect(pay, 'the price is there before Enter pays').toBeEnabled()
  await expect(dialog.locator('dl')).toContainText('Refund for the unused time of Starter')
  await expectAccessible(page, 'an upgrade with its price')
  const shown = await pay.textContent()
  await pay.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText(visitor.text(m.sales_kind_upgrade)).first()).toBeVisible()
  await expect(page.getByText(visitor.text(m.sales_ended_upgraded), { exact: true })).toBeVisible()
  expect(shown).toMatch(/€\d/)
  await page.goto('/account/finances')
  await page.getByRole('link', { name: 'Unused time of Starter for web-1' }).click()
  await expect(page.getByText(visitor.text(m.invoices_credit_note)).first()).toBeVisible()
})

// The page, the dialog and the documents in the other languages.
for (const other of ['de', 'ru'] as const)
  test.describe(other, () => {
    test.use({ locale: browserLocales[other] })

    test(`L-16 an upgrade is read in the language of the customer, with its credit note (${other})`, async ({
      page,
    }) => {
      const { token } = await newCustomer(page, other)
      const visitor = new Visitor(page, other)
      const calls = new ServerCalls(page, token)
      await calls.paysIn('20000')
      const host = await calls.orders('web-1', 'starter-month')
      await passTimeFor(host, 12)
      await page.goto(`/account/servers/host/${host}`)
      await visitor.presses(m.sales_change_plan)
      const plan = { en: 'Starter', de: 'Starter', ru: 'Старт' }[other]
      const dialog = page.getByRole('dialog')
      await expect(dialog.locator('dl')).toContainText(m.sales_upgrade_credit({ plan }, { locale: other }))
      const pay = m.sales_upgrade_pay({ amount: '' }, { locale: other }).trim()
      await dialog.getByRole('button', { name: pay }).click()
      await expect(dialog).toBeHidden()
      await expect(page.getByText(visitor.text(m.sales_ended_upgraded), { exact: true })).toBeVisible()
      await page.goto('/account/finances')
      const credited = m.finance_description_upgrade_credit({ plan, host: 'web-1' }, { locale: other })
      await page.getByRole('link', { name: credited }).click()
      await expect(page.getByText(visitor.text(m.invoices_credit_note)).first()).toBeVisible()
      await expect(page.getByText(visitor.text(m.invoices_note_upgraded))).toBeVisible()
    })
  })

test('L-19 a plan at the end is chosen on a phone by the keyboard, and shown on the page', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { token } = await newCustomer(page, locale)
  const visitor = new Visitor(page, locale)
  const calls = new ServerCalls(page, token)
  await calls.paysIn('20000')
  const host = await calls.orders('web-1', 'starter-month')
  await page.goto(`/account/servers/host/${host}`)
  const opener = page.getByRole('button', { name: visitor.text(m.sales_change_plan), exact: true })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: visitor.text(m.sales_when_now) }).focus()
  await page.keyboard.press('ArrowRight')
  const starter = dialog.getByRole('radio', { name: /^Starter/ })
  await expect(starter).toBeChecked()
  await starter.focus()
  await page.keyboard.press('ArrowDown')
  await expect(dialog).toContainText(/ from .+; until then Starter\./)
  await dialog.getByRole('checkbox', { name: visitor.text(m.sales_end_auto) }).check()
  await expectAccessible(page, 'a plan at the end')
  const save = dialog.getByRole('button', { name: visitor.text(m.sales_end_save) })
  await expect(save).toBeEnabled()
  await save.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText(visitor.text(m.sales_next_plan), { exact: true })).toBeVisible()
})
