import { expect, it } from 'vitest'
import { tellTyping } from '#features/support/messages/contract.ts'
import { tellPresence } from '#features/support/desk/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp()

it('notifies the other side of typing, and nobody else', async () => {
  const [customer, stranger, staff] = [
    await signedInCustomer(test),
    await signedInCustomer(test),
    await signedInStaff(test),
  ]
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const }
  const ticket = (await customer.api.call(createTicket, { body })).body
  const params = { chatId: ticket.id }
  await staff.api.call(tellPresence, { params, body: { state: 'here' } })
  const streams = await Promise.all(
    [customer, stranger, staff].map(({ api }) => openEvents(test.url, must(api.access_token))),
  )
  expect((await customer.api.call(tellTyping, { params })).status).toBe(204)
  const { id, data } = await must(streams[2]).until(({ type }) => type === 'typing')
  // The event is in no log, so no client can resume after it.
  expect(id).toBeUndefined()
  expect(data).toEqual({ chat_id: ticket.id, user_id: customer.user_id, is_staff: false })
  expect((await staff.api.call(tellTyping, { params })).status).toBe(204)
  await must(streams[0]).until(({ type }) => type === 'typing')
  expect(streams.map(({ events }) => events.filter(({ type }) => type === 'typing').length)).toEqual([
    1, 0, 1,
  ])
  expect((await stranger.api.call(tellTyping, { params })).status).toBe(404)
  for (const stream of streams) stream.close()
})

// Seen red: each word of a helper opened a connection more, which nobody closed.
it('listens by one connection, whoever types for whom', async () => {
  const owner = await signedInCustomer(test)
  const helping = await helperOf(test, owner)
  const { id } = await opened(owner)
  for (let times = 0; times < 3; times += 1)
    for (const { api } of [owner, helping])
      expect((await api.call(tellTyping, { params: { chatId: id } })).status).toBe(204)
  const listening = `select count(*)::int from pg_stat_activity where datname = current_database() and query like 'listen %'`
  await expect.poll(() => asOwner(test, listening)).toEqual([{ count: 1 }])
})
