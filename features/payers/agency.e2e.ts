import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { anyAddress, ServerCalls } from '#tests/stories/server-calls.ts'
import { Visitor } from '#tests/stories/visitor.ts'
import { m } from '#texts/messages.js'

// The stories by keyboard and in English are payers.e2e.ts and features/sharing/sharing.e2e.ts. This one shows both features in Russian.
const locale = 'ru'
const said = { locale } as const

test.use({ locale: browserLocales[locale], viewport: { width: 360, height: 800 } })

test('O-01, Y-01, Y-02, Y-04 an agency invites a helper, helps a client and pays for a server of theirs', async ({
  page,
  browser,
}) => {
  const context = await browser.newContext({ locale: browserLocales[locale] })
  const theirs = await context.newPage()
  const client = await newCustomer(theirs, locale, 'agency-client')
  const server = await new ServerCalls(theirs, client.token).adds('client-one', anyAddress())
  const agency = await newCustomer(page, locale, 'agency')
  const visitor = new Visitor(page, locale)
  await new ServerCalls(page, agency.token).paysIn('5000')
  const asked = { email: agency.email, all_hosts: true }
  const { token } = client
  const grant = { ...asked, role: 'technical' }
  await callApi(theirs, 'POST', '/api/sharing/grants/', { token, data: grant, status: 201 })
  const agreement = { ...asked, side: 'owner', pays: 'all', month_limit: '3000' }
  await callApi(theirs, 'POST', '/api/payment-agreements/', { token, data: agreement, status: 201 })

  // The agency accepts to help, and invites a colleague of its own.
  await page.goto('/account/settings/people')
  await visitor.presses(m.sharing_accept)
  const helped = page.getByRole('list', { name: visitor.text(m.sharing_received) })
  await expect(helped).toContainText(client.email)
  await visitor.presses(m.sharing_invite)
  await page.getByLabel(visitor.text(m.sharing_email)).fill('colleague@example.com')
  await visitor.presses(m.sharing_send)
  await expect(page.getByText(m.sharing_sent({ email: 'colleague@example.com' }, said))).toBeVisible()

  // The agency reviews what it would pay for, and accepts.
  await page.goto('/account/finances/paid-for')
  await visitor.presses(m.payers_review)
  const review = page.getByRole('dialog')
  await expect(review).toContainText('client-one')
  await review.getByRole('button', { name: visitor.text(m.payers_accept) }).click()
  await expect(page.getByText(visitor.text(m.payers_accepted))).toBeVisible()
  const paying = page.getByRole('list', { name: visitor.text(m.payers_paying) })
  await expect(paying).toContainText(client.email)

  // The client orders, the agency pays, and the pages of both show it.
  await theirs.goto(`/account/servers/host/${server}`)
  await expect(theirs.getByText(m.payers_card_by({ name: agency.email }, said))).toBeVisible()
  const orderer = new Visitor(theirs, locale)
  await orderer.presses(m.sales_order)
  const order = theirs.getByRole('dialog')
  await order
    .getByRole('radio', { name: /^(Starter|Старт)/ })
    .first()
    .check()
  await order.getByRole('button', { name: /5[.,]83/ }).click()
  await expect(order).toBeHidden()
  await page.reload()
  await expect(paying).toContainText(visitor.euros('583'))
  await context.close()
})
