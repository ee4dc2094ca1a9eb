import { expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'

test('O-05, O-06 a server changes hands between two people, by keyboard and on a phone', async ({
  page,
  browser,
}) => {
  const owner = await newCustomer(page, 'en', 'transfer-owner')
  const calls = new ServerCalls(page, owner.token)
  await calls.paysIn('5000')
  const host = await calls.orders('otter', 'starter-month')
  await calls.connects(host)
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 360, height: 780 } })
  const theirs = await context.newPage()
  const receiver = await newCustomer(theirs, 'en', 'transfer-receiver')
  await theirs.goto('/account/settings/people')
  await expect(theirs.getByText('Nothing has been offered to you.')).toBeVisible()

  // The owner offers it; a wrong name keeps what was typed.
  await page.goto(`/account/servers/host/${host}`)
  const second = await page.context().newPage()
  await second.goto(`/account/servers/host/${host}`)
  await page.getByRole('button', { name: 'Transfer to another account' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email address of the new owner').fill(receiver.email)
  await dialog.getByLabel('Type otter to confirm').fill('other')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This isn’t the name.')).toBeVisible()
  await expect(dialog.getByLabel('Email address of the new owner')).toHaveValue(receiver.email)
  await dialog.getByLabel('Type otter to confirm').fill('otter')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Offer sent to ${receiver.email}`, { exact: true })).toBeVisible()
  await expect(page.getByText('It’s yours until they accept.')).toBeVisible()

  // The owner's second tab shows the offer and withdraws it, and both people see that.
  const offers = theirs.getByRole('list', { name: 'Offered to you' })
  await expect(offers.getByText('otter')).toBeVisible()
  await second.getByRole('button', { name: 'Withdraw offer' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Transfer to another account' })).toBeVisible()
  await expect(theirs.getByText('Nothing has been offered to you.')).toBeVisible()
  await second.close()

  const offersIt = async () => {
    await page.getByRole('button', { name: 'Transfer to another account' }).press('Enter')
    await dialog.getByLabel('Email address of the new owner').fill(receiver.email)
    await dialog.getByLabel('Type otter to confirm').fill('otter')
    await page.keyboard.press('Enter')
    await expect(page.getByText('It’s yours until they accept.')).toBeVisible()
  }
  // The offer is declined once; the server is then offered again and accepted.
  await offersIt()
  await offers.getByRole('button', { name: 'Review' }).press('Enter')
  const review = theirs.getByRole('dialog')
  await expect(review).toContainText('is offering this to you')
  await expect(review).toContainText('Paid until')
  await review.getByRole('button', { name: 'Decline' }).press('Enter')
  await expect(theirs.getByText('Offer declined')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Transfer to another account' })).toBeVisible()
  await offersIt()
  await offers.getByRole('button', { name: 'Review' }).press('Enter')
  await review.getByRole('button', { name: 'Accept offer' }).press('Enter')

  // The page of the server, with the way to connect it; what was paid before has no price and no invoice.
  await expect(theirs.getByText('otter is yours now')).toBeVisible()
  await expect(theirs.getByRole('heading', { level: 1, name: 'otter' })).toBeVisible()
  await expect(theirs.getByText('No agent token yet')).toBeVisible()
  await expect(theirs.getByRole('switch')).not.toBeChecked()
  await expect(theirs.getByText('Paid for you')).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Invoice' })).toHaveCount(0)
  const [scrollWidth, clientWidth] = await theirs.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  await theirs.goto('/account/servers/list')
  await expect(theirs.getByRole('link', { name: 'otter' })).toBeVisible()

  // The former owner still has the invoice, but no longer the server.
  await page.goto('/account/servers/list')
  await expect(page.getByText('otter')).toHaveCount(0)
  await page.goto(`/account/servers/host/${host}`)
  await expect(page.getByText('Server not found').first()).toBeVisible()
  await page.goto('/account/finances')
  const invoices = page.getByRole('list', { name: 'Transactions' }).locator('a[href*="/invoice"]')
  await expect(invoices.first()).toBeVisible()
  await context.close()
})

for (const [locale, words] of [
  ['de', { review: 'Ansehen', decline: 'Ablehnen', declined: 'Angebot abgelehnt', from: 'Von' }],
  ['ru', { review: 'Посмотреть', decline: 'Отклонить', declined: 'Предложение отклонено', from: 'От кого' }],
] as const)
  test(`O-05 who is offered a server reads the offer in their language (${locale})`, async ({
    page,
    browser,
  }) => {
    const context = await browser.newContext({ locale: 'en-GB' })
    const theirs = await context.newPage()
    const owner = await newCustomer(theirs, 'en', 'transfer-giver')
    const host = await new ServerCalls(theirs, owner.token).adds('otter')
    const receiver = await newCustomer(page, locale, 'transfer-reader')
    const data = { email: receiver.email, name: 'otter' }
    await callApi(theirs, 'POST', `/api/hosts/${host}/transfer/`, { token: owner.token, data, status: 201 })
    await page.goto('/account/settings/people')
    await expect(page.getByText(words.from)).toBeVisible()
    await page.getByRole('button', { name: words.review }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: words.decline }).press('Enter')
    await expect(page.getByText(words.declined)).toBeVisible()
    await context.close()
  })
