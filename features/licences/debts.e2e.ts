import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { passTimeFor } from '#tests/stories/story-database.ts'
import { Visitor } from '#tests/stories/visitor.ts'
import { m } from '#texts/messages.js'

const locale = 'de'
test.use({ locale: browserLocales[locale], viewport: { width: 360, height: 800 } })

test('L-22, L-23 a server is suspended after a chargeback, and runs again once the balance is paid', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const { token } = await newCustomer(page, locale)
  const visitor = new Visitor(page, locale)
  const calls = new ServerCalls(page, token)
  const paid = await calls.paysIn('3000')
  const host = await calls.orders('web-1', 'standard-month')
  await page.goto(`/account/servers/host/${host}`)
  const reason = page.getByText(visitor.text(m.licences_suspended_charge_back))
  await expect(page.getByRole('heading', { level: 1, name: 'web-1' })).toBeVisible()
  await calls.pullsBack(paid)
  await expect(reason).toBeHidden()

  // After a week without a payment the open page shows the suspension.
  await passTimeFor(host, 8)
  await expect(reason).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'a server that is suspended for a debt')
  await page.getByRole('link', { name: visitor.text(m.licences_suspended_top_up) }).click()
  // The minus sign differs by language.
  await expect(page.getByText(/^\W*23[.,]68/).first()).toBeVisible()

  await calls.paysIn('2500')
  await expect(page.getByText(visitor.euros('132')).first()).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'web-1' })).toBeVisible()
  await expect(reason).toBeHidden()
})
