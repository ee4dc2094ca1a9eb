import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as contract from '#features/support/messages/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { opened, messagesOf, say, staffTicket } from '#tests/harness/tickets.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()

it('K-03 shows staff, and nobody else, which message was the first to wait for an answer', async () => {
  const customer = await signedInCustomer(test)
  const olivia = await signedInStaff(test)
  const { id } = await opened(customer)
  const first = async (who: Customer) => (await messagesOf(who, id, { limit: '1' })).unanswered_seq
  expect([await first(olivia), await first(customer)]).toEqual([1, null])
  await olivia.api.call(contract.postNote, {
    params: { chatId: id },
    body: { client_id: randomUUID(), text: 'A note is no answer.' },
  })
  await say(customer, id, 'Are you there?')
  expect(await first(olivia)).toBe(1)
  await say(olivia, id, 'We are.')
  expect(await first(olivia)).toBeNull()
  await say(customer, id, 'Good.')
  await say(customer, id, 'And now?')
  const { items, unanswered_seq } = await messagesOf(olivia, id)
  expect(items.find(({ seq }) => seq === unanswered_seq)?.text).toBe('Good.')
})

describe('of many at once', () => {
  it('rule 28: 60 messages at once get the numbers 2 to 61, each once, and the order never changes', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) => say(customer, ticket.id, `${index}`)),
    )
    const numbers = replies.map(({ body }) => body.seq).toSorted((one, other) => one - other)
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 2))
    const { items } = await messagesOf(customer, ticket.id, { limit: '100' })
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 61 }, (_, index) => index + 1))
  })

  it('the same client_id fifty times at once is one message and one answer', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const client_id = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => say(customer, ticket.id, 'Once', client_id)),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })
})

describe('a note never reaches the customer', () => {
  it('by no call, no number, no count and no event', async () => {
    const customer = await signedInCustomer(test)
    const olivia = await signedInStaff(test)
    const ticket = await opened(customer)
    const params = { chatId: ticket.id }
    await say(olivia, ticket.id, 'Hello')
    const note = await olivia.api.call(contract.postNote, {
      params,
      body: { client_id: randomUUID(), text: 'He is a difficult one.' },
    })
    expect(note).toMatchObject({ status: 201, body: { kind: 'note', seq: 3 } })
    await say(olivia, ticket.id, 'How can we help?')
    const before = await staffTicket(customer, ticket.id)
    expect(before).toMatchObject({ unread: 2, last_seq: 3 })
    const seen = await messagesOf(customer, ticket.id)
    expect(JSON.stringify(seen)).not.toContain('difficult')
    expect(seen.items.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect((await messagesOf(olivia, ticket.id)).items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    const events = await test.app.db
      .selectFrom('live_events')
      .selectAll()
      .where('user_id', '=', customer.user_id)
      .where('type', '=', 'message.created')
      .execute()
    // The three events are of the ticket's first message and two answers.
    expect(events).toHaveLength(3)
    await say(customer, ticket.id, 'And now?')
    const after = await staffTicket(customer, ticket.id)
    expect(after.unread, 'who writes has not seen by it what came before').toBe(2)
  })

  it('and a customer can write none', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const body = { client_id: randomUUID(), text: 'x' }
    const reply = await customer.api.call(contract.postNote, { params: { chatId: ticket.id }, body })
    expect(reply).toMatchObject({ status: 403, body: { errors: [{ code: 'not_allowed' }] } })
    const staff = await signedInStaff(test)
    const own = await opened(staff)
    const inOwn = await staff.api.call(contract.postNote, { params: { chatId: own.id }, body })
    expect(inOwn.status).toBe(404)
  })
})
