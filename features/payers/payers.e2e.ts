import { expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'

test('Y-01, Y-02, Y-03 an agency pays for the server of a client, within a limit, until one of them ends it', async ({
  page,
  browser,
}) => {
  const client = await newCustomer(page, 'en', 'payers-client')
  const calls = new ServerCalls(page, client.token)
  await calls.paysIn('5000')
  await calls.orders('client-one', 'starter-month')
  await calls.adds('client-two')
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 780 } })
  const theirs = await context.newPage()
  const agency = await newCustomer(theirs, 'en', 'payers-agency')

  // The owner asks from the server's page, by keyboard.
  await page.goto('/account/servers/list')
  await page.getByRole('link', { name: 'client-one' }).press('Enter')
  await page.getByRole('switch').press('Space')
  await expect(page.getByText('You pay for this licence yourself.')).toBeVisible()
  await page.getByRole('button', { name: 'Ask somebody to pay' }).press('Enter')
  await page.getByLabel('Email address').fill(agency.email)
  await page.getByLabel('Monthly limit in EUR').fill('abc')
  await page.getByRole('button', { name: 'Send' }).press('Enter')
  await expect(page.getByLabel('Monthly limit in EUR')).toBeFocused()
  await expect(page.getByLabel('Email address')).toHaveValue(agency.email)
  await page.getByLabel('Monthly limit in EUR').fill('30')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Sent to ${agency.email}`)).toBeVisible()
  await expect(page.getByText('has been asked to pay. Until they accept, you pay yourself.')).toBeVisible()

  // The payer sees server, next charges and limit before accepting.
  await theirs.goto('/account/finances')
  const tab = theirs.getByRole('link', { name: 'Licences I pay for' })
  await tab.press('Enter')
  await expect(tab).toHaveAttribute('aria-current', 'page')
  await theirs.getByRole('button', { name: 'Review' }).press('Enter')
  const review = theirs.getByRole('dialog')
  await expect(review.getByRole('list', { name: 'Licences covered' })).toContainText('client-one')
  await expect(review).toContainText('Next charge')
  await expect(review.getByLabel('Monthly limit in EUR')).toHaveValue('30')
  await review.getByLabel('Monthly limit in EUR').fill('25')
  await review.getByRole('button', { name: 'Accept' }).press('Enter')
  await expect(theirs.getByText('Agreement accepted')).toBeVisible()
  const paying = theirs.getByRole('list', { name: 'You pay for others' })
  await expect(paying).toContainText('€0.00 of €25.00 this month')
  const [scrollWidth, clientWidth] = await theirs.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)

  // The owner's open page shows it without being loaded again.
  await expect(page.getByText('Paid by')).toBeVisible()
  await paying.getByRole('button', { name: 'Change limit' }).press('Enter')
  await theirs.getByRole('dialog').getByLabel('Monthly limit in EUR').fill('40')
  await theirs.keyboard.press('Enter')
  await expect(paying).toContainText('of €40.00 this month')

  // Another server is added, once the payer has agreed, and taken out again.
  await page.goto('/account/servers/list')
  await page.getByRole('link', { name: 'client-two' }).press('Enter')
  await page.getByRole('button', { name: 'Add to the agreement with' }).press('Enter')
  await expect(page.getByText('has been asked to pay. Until they accept, you pay yourself.')).toBeVisible()
  await paying.getByRole('button', { name: 'Review' }).press('Enter')
  await expect(review.getByRole('listitem').filter({ hasText: 'client-two' })).toContainText('New')
  await review.getByRole('button', { name: 'Accept' }).press('Enter')
  await expect(paying).toContainText('2 licences')
  await expect(page.getByText('Paid by')).toBeVisible()
  await page.getByRole('button', { name: 'Remove from agreement' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from agreement' }).press('Enter')
  await expect(page.getByText('You pay for this licence yourself.')).toBeVisible()
  await expect(paying).toContainText('1 licence')

  // The owner ends it, and pays again from their own balance.
  await page.goto('/account/finances/paid-for')
  const paid = page.getByRole('list', { name: 'Others pay for you' })
  await paid.getByRole('button', { name: 'End' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Renew from my own balance from now on').check()
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).press('Enter')
  await expect(page.getByText('You pay for all your licences yourself.')).toBeVisible()
  await expect(theirs.getByText('You don’t pay for anybody else’s licences.')).toBeVisible()
  await page.goto('/account/servers/list')
  await page.getByRole('link', { name: 'client-one' }).press('Enter')
  await expect(page.getByRole('switch')).toBeChecked()

  // A payer offers by itself; the owner chooses the server and declines the next offer.
  await theirs.getByRole('button', { name: 'Offer to pay' }).press('Enter')
  await theirs.getByLabel('Email address').fill(client.email)
  await theirs.getByLabel('Covers').selectOption('all')
  await theirs.getByRole('button', { name: 'Send' }).press('Enter')
  await expect(theirs.getByText(`Sent to ${client.email}`)).toBeVisible()
  await page.goto('/account/finances/paid-for')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  const offer = page.getByRole('dialog')
  await offer.getByRole('button', { name: 'Accept' }).press('Enter')
  await expect(offer.getByText('Choose at least one server or licence, or all.')).toBeVisible()
  await offer.getByLabel('client-one').check()
  await offer.getByRole('button', { name: 'Accept' }).press('Enter')
  await expect(paid).toContainText('1 licence')

  // From then on the agency pays what the client orders.
  await expect(paying).toContainText('€0.00 this month')
  await new ServerCalls(theirs, agency.token).paysIn('20000')
  await page.goto('/account/servers/list')
  await page.getByRole('link', { name: 'client-one' }).press('Enter')
  await page.getByRole('button', { name: 'Renew', exact: true }).press('Enter')
  await expect(page.getByRole('dialog').getByText('Paid by')).toBeVisible()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Renew for/ })
    .press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await theirs.reload()
  await expect(paying).not.toContainText('€0.00 this month')
  await context.close()
})
