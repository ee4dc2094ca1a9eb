import { expect, it } from 'vitest'
import { tellTyping } from '#features/support/messages/contract.ts'
import { tellPresence } from '#features/support/desk/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
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
