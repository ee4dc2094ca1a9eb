import { must } from '#foundation/must.ts'
import { expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'

test('O-13 an owner makes a webhook, tests it, reads request and answer, pauses and deletes it by keys', async ({
  page,
  baseURL,
}) => {
  const { token } = await newCustomer(page, 'en', 'webhooks')
  await callApi(page, 'POST', '/api/hosts/', { token, data: { name: 'first.example' } })
  await page.goto('/account/settings/api')
  await page.getByRole('button', { name: 'New webhook' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('https://127.0.0.1/')
  await dialog.getByRole('button', { name: 'Create webhook' }).press('Enter')
  await expect(dialog.getByText('This address is not on the public internet.')).toBeVisible()
  await dialog.getByLabel('URL').fill(`${baseURL}/dev/webhooks/story`)
  await dialog.getByLabel('Description').fill('Story')
  await dialog.getByLabel('Events').selectOption('Only these')
  await dialog.getByLabel('Servers').selectOption('Only these servers')
  await dialog.getByRole('button', { name: 'Create webhook' }).press('Enter')
  await dialog.getByLabel('host.created').check()
  await dialog.getByRole('button', { name: 'Create webhook' }).press('Enter')
  // One server is chosen, at least.
  await expect(dialog.getByRole('combobox', { name: 'Servers' })).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('first.example').check()
  await dialog.getByRole('button', { name: 'Create webhook' }).press('Enter')
  await expect(dialog.getByText(/^whsec_/)).toBeVisible()
  await dialog.getByRole('button', { name: 'I have kept it' }).press('Enter')

  await expect(
    page.getByRole('heading', { level: 1, name: 'Story' }),
    'its page, to send a test',
  ).toBeVisible()
  await expect(page.getByText('1 kind of event · 1 server')).toBeVisible()
  await page.getByRole('button', { name: 'Send a test' }).press('Enter')
  await expect(page.getByText(/The test arrived: 200/)).toBeVisible()
  const attempts = page.getByRole('list', { name: 'Attempts' })
  await attempts.getByText('webhook.test').click()
  await expect(attempts.getByText('webhook-signature: v1,')).toBeVisible()
  await expect(attempts.getByText('"received": true')).toBeVisible()
  await expect(attempts.getByRole('button', { name: 'Copy as curl' })).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).press('Enter')
  await expect(page.getByText('Paused. Events wait for 30 days.')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByText('No webhook yet.')).toBeVisible()
})

test('O-13 every page says that a webhook is disabled, until it is enabled or deleted', async ({
  page,
  baseURL,
}) => {
  const { token } = await newCustomer(page, 'en', 'webhooks-off')
  await page.goto('/account/settings/api')
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('URL').fill(`${baseURL}/dev/webhooks/gone`)
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.goto('/account/servers/list')
  await callApi(page, 'POST', '/api/hosts/', { token, data: { name: 'first.example' } })
  const notice = page.getByText('A webhook of your account is disabled')
  await expect(notice).toBeVisible()
  // The address is one that takes events, or its answer 410 would disable the webhook again as soon as it is enabled.
  const { items } = await callApi<{ items: { id: string; version: number }[] }>(
    page,
    'GET',
    '/api/webhooks/',
    {
      token,
    },
  )
  const { id, version } = must(items[0])
  const data = { url: `${baseURL}/dev/webhooks/story`, version }
  await callApi(page, 'PATCH', `/api/webhooks/${id}/`, { token, data })
  await page.goto('/account/finances')
  await expect(notice).toBeVisible()
  await page.getByRole('link', { name: 'See the webhooks' }).click()
  await page.getByRole('list', { name: 'Webhooks' }).getByRole('link').click()
  await page.getByRole('button', { name: 'Enable' }).click()
  await expect(notice).toBeHidden()
})
