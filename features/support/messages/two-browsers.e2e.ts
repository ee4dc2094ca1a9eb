import type { Page } from '@playwright/test'
import { expect, test } from '#tests/harness/story.ts'
import { customerAndStaff, sayByCall } from '#tests/stories/two-people.ts'
import { m } from '#texts/messages.js'

// Customer and staff, each in a browser of their own, against the whole product.
const log = (page: Page) => page.getByRole('log', { name: m.messages_list() })
const field = (page: Page) => page.getByRole('textbox', { name: m.messages_write() })

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
}

/** Returns the numbers that follow `word` in a conversation, in their order on the page. */
const numbered = async (page: Page, word: string): Promise<number[]> =>
  [...(await log(page).innerText()).matchAll(new RegExp(`${word} (\\d+)`, 'g'))].map(([, n]) => Number(n))

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('K-02, K-03 customer and staff see live what the other side does: typing, a new message, a read message, a new status', async ({
  browser,
}) => {
  const { customer, staff, ticket, close } = await customerAndStaff(browser)
  // Nobody keeps who types: the customer must hear already.
  const hears = customer.page.waitForResponse((reply) => reply.url().includes('/api/events/'))
  await customer.page.goto(`/account/tickets/${ticket.id}`)
  await staff.page.goto(`/account/staff-tickets/${ticket.id}`)
  for (const { page } of [customer, staff]) await expect(log(page)).toContainText('Since this morning.')
  await hears

  await field(staff.page).pressSequentially('We are')
  await expect(log(customer.page)).toContainText(/is writing/)
  await say(staff.page, 'We are looking into it.')
  await expect(log(customer.page)).toContainText('We are looking into it.')
  await expect(log(customer.page)).not.toContainText(/is writing/)
  await expect(log(staff.page), 'the read mark comes back').toContainText(m.messages_seen())
  await expect(customer.page.getByText(m.tickets_status_pending(), { exact: true }).first()).toBeVisible()

  await say(customer.page, 'Thank you.')
  await expect(log(staff.page)).toContainText('Thank you.')
  await expect(staff.page.getByText(m.tickets_status_in_progress(), { exact: true }).first()).toBeVisible()
  await customer.page.getByRole('button', { name: m.messages_close() }).click()
  await expect(staff.page.getByText(m.tickets_status_closed(), { exact: true }).first()).toBeVisible()
  await close()
})

test('rule 29: a network that is cut while 200 messages are written costs none, neither side sees one twice', async ({
  browser,
}) => {
  const { customer, staff, ticket, close } = await customerAndStaff(browser)
  await customer.page.goto(`/account/tickets/${ticket.id}`)
  await staff.page.goto(`/account/staff-tickets/${ticket.id}`)
  await sayByCall(staff, ticket, 'answer 1')
  await expect(log(customer.page)).toContainText('answer 1')

  await customer.context.setOffline(true)
  // Waits until the page knows that it is offline: a message that was on its way before that would still arrive.
  await expect(customer.page.getByText(m.ui_offline())).toBeVisible()
  for (let n = 2; n <= 100; n += 1) await sayByCall(staff, ticket, `answer ${n}`)
  for (const n of upTo(3)) await say(customer.page, `meanwhile ${n}`)
  await expect(log(customer.page).getByText(m.messages_waiting())).toHaveCount(3)
  await field(customer.page).fill('half a sentence')
  for (let n = 101; n <= 200; n += 1) await sayByCall(staff, ticket, `answer ${n}`)
  expect(await numbered(customer.page, 'answer'), 'the network was really gone').toEqual([1])

  await customer.context.setOffline(false)
  await expect.poll(() => numbered(customer.page, 'answer'), { timeout: 30_000 }).toEqual(upTo(200))
  await expect(log(customer.page).getByText(m.messages_waiting())).toHaveCount(0)
  expect(await numbered(customer.page, 'meanwhile')).toEqual(upTo(3))
  await expect(field(customer.page)).toHaveValue('half a sentence')
  await expect.poll(() => numbered(staff.page, 'meanwhile')).toEqual(upTo(3))
  expect(await numbered(staff.page, 'answer')).toEqual(upTo(200))

  await customer.page.reload()
  await expect(field(customer.page), 'the draft outlives the page').toHaveValue('half a sentence')
  await close()
})

test('a message that cannot go out waits, survives a reload, and goes out once from another page', async ({
  browser,
}) => {
  const { customer, staff, ticket, close } = await customerAndStaff(browser)
  await customer.page.goto(`/account/tickets/${ticket.id}`)
  await expect(log(customer.page)).toContainText('Since this morning.')
  await customer.page.route('**/messages/', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await say(customer.page, 'are you there 1')
  await expect(log(customer.page).getByText('are you there 1')).toBeVisible()
  await customer.page.reload()
  await expect(log(customer.page).getByText('are you there 1'), 'still in the outbox').toBeVisible()
  await customer.page.unroute('**/messages/')
  await customer.page.goto('/account/tickets')
  await staff.page.goto(`/account/staff-tickets/${ticket.id}`)
  await expect.poll(() => numbered(staff.page, 'are you there'), { timeout: 20_000 }).toEqual([1])
  await close()
})
