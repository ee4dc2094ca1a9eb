import type { Page } from '@playwright/test'
import { expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { m } from '#texts/messages.js'
import type { Message, Ticket } from './contract.ts'

// A call that was committed, but whose answer was lost, must not happen a second time.
const en = { locale: 'en' } as const
const button = (page: Page, text: typeof m.ui_save) =>
  page.getByRole('button', { name: text({}, en), exact: true })

/**
 * Lets POST calls reach the server, but loses their answers. `committed` resolves when the server has answered the first call with success.
 */
async function loseAnswers(
  page: Page,
  path: RegExp,
): Promise<{ committed: Promise<void>; mend: () => Promise<void> }> {
  const { promise: committed, resolve } = Promise.withResolvers<void>()
  const isCut = (url: URL) => path.test(url.pathname)
  await page.route(isCut, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const answer = await route.fetch()
    await route.abort()
    if (answer.ok()) resolve()
  })
  return { committed, mend: () => page.unroute(isCut) }
}

async function read<T>(page: Page, token: string, path: string): Promise<readonly T[]> {
  return (await callApi<{ items: T[] }>(page, 'GET', path, { token })).items
}

test('K-04 rule 10: a ticket and a message whose answers were lost are sent again after a reload, and are one', async ({
  page,
}) => {
  const { token } = await newCustomer(page, 'en', 'lost')
  await page.goto('/account/tickets?new=')
  await page.getByLabel(m.tickets_subject({}, en), { exact: true }).fill('Lost')
  await page.getByLabel(m.tickets_message({}, en), { exact: true }).fill('Since this morning.')
  await page.getByLabel(m.tickets_topic({}, en), { exact: true }).selectOption('technical')
  const ticket = await loseAnswers(page, /^\/api\/tickets\/$/)
  await button(page, m.tickets_create).click()
  await ticket.committed
  await expect(page.getByText(m.tickets_create_failed({}, en)).first()).toBeVisible()
  await ticket.mend()
  await page.goto('/account/tickets?new=')
  await expect(page.getByLabel(m.tickets_subject({}, en), { exact: true })).toHaveValue('Lost')
  await button(page, m.tickets_create).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Lost' })).toBeVisible()
  const tickets = await read<Ticket>(page, token, '/api/tickets/')
  expect(tickets.map(({ subject }) => subject)).toEqual(['Lost'])

  const writing = page.getByRole('textbox', { name: m.messages_write({}, en) })
  await expect(writing, 'the same words do not wait a second time').toHaveValue('')
  const messages = `/api/tickets/${tickets[0]?.id}/messages/`
  const message = await loseAnswers(page, new RegExp(`^${messages}$`))
  await writing.fill('Still nothing.')
  await button(page, m.messages_send).click()
  await message.committed
  await message.mend()
  await page.reload()
  await expect(page.getByRole('log').getByText('Still nothing.')).toHaveCount(1)
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('outbox'))))
    .toEqual([])
  const said = await read<Message>(page, token, messages)
  expect(said.map(({ text }) => text)).toEqual(['Since this morning.', 'Still nothing.'])
})
