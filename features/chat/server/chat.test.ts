import { expect, it } from 'vitest'
import { tellTyping } from '#features/chat/contract.ts'
import { createTicket } from '#features/tickets/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()

const typingSeenBy = ({ user_id }: Customer) =>
  test.app.db
    .selectFrom('live_events')
    .select('payload')
    .where('user_id', '=', user_id)
    .where('type', '=', 'typing')
    .execute()

it('tells the other side that one writes, and nobody else', async () => {
  const [customer, stranger, staff] = [
    await signedInCustomer(test),
    await signedInCustomer(test),
    await signedInStaff(test),
  ]
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const }
  const ticket = (await customer.api.call(createTicket, { body })).body
  const params = { chatId: ticket.id }
  expect((await customer.api.call(tellTyping, { params })).status).toBe(204)
  expect(await typingSeenBy(staff)).toEqual([
    { payload: { chat_id: ticket.id, user_id: customer.user_id, is_staff: false } },
  ])
  expect(await typingSeenBy(customer)).toEqual([])
  expect(await typingSeenBy(stranger)).toEqual([])
  expect((await stranger.api.call(tellTyping, { params })).status).toBe(404)
})
