import * as messages from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it, vi } from 'vitest'
import { tellPresence } from '#features/support/desk/contract.ts'
import * as contract from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents, type OpenEvents } from '#tests/harness/events.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { liveEvent } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { publish } from '#foundation/server/realtime/publish.ts'

const test = await startTestApp()
const { app, url } = test
const STAFF = 6
let customer: Customer
let staff: Customer[]
let chatId: string

beforeAll(async () => {
  customer = await signedInCustomer(test)
  staff = await Promise.all(Array.from({ length: STAFF }, () => signedInStaff(test)))
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const }
  chatId = bodyOf(await customer.api.call(contract.createTicket, { body }), 201).id
})

const say = async ({ api }: Customer, text: string) => {
  const body = { client_id: randomUUID(), text }
  return bodyOf(await api.call(messages.postMessage, { params: { chatId }, body }), 201)
}

const open = (people: readonly Customer[]): Promise<OpenEvents[]> =>
  Promise.all(people.map(({ api }) => openEvents(url, must(api.access_token))))

const rows = async () =>
  (await app.db.selectFrom('live_events').select('type').execute()).map(({ type }) => type)

// An earlier version wrote eight rows for a message with six staff, and eight more if the message also changed the ticket.
it('a message is two rows for any number of staff, also if the ticket moves on with it', async () => {
  const before = await rows()
  await say(customer, 'Is anybody there?')
  expect((await rows()).slice(before.length)).toEqual(['message.created', 'message.created'])
  await say(must(staff[0]), 'We are.')
  // One row more for the customer's bell, and none for those who may answer.
  expect((await rows()).slice(before.length).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'message.created'),
    'notifications.changed',
  ])
  const note = { client_id: randomUUID(), text: 'A difficult one.' }
  await must(staff[0]).api.call(messages.postNote, { params: { chatId }, body: note })
  expect((await rows()).slice(before.length)).toHaveLength(6)
})

it('readers who view the ticket get the text with the event, read once for all of them; staff elsewhere get ids', async () => {
  const [looking, elsewhere] = [staff.slice(0, 4), staff.slice(4)]
  for (const { api } of looking) await api.call(tellPresence, { params: { chatId }, body: { state: 'here' } })
  const streams = await open([customer, ...looking, ...elsewhere])
  const read = vi.spyOn(must(app.eventBodies[0]), 'read')
  const said = await say(customer, 'What is new?')
  const heard = await Promise.all(
    streams.map((stream) =>
      stream.until(({ type, data }) => type === 'message.created' && data['by'] !== null),
    ),
  )
  const bodies = heard.map(({ data }) => data['body'] as contract.LiveBody | undefined)
  // The customer's count skips the note of the test above, so the number of the message is one higher for staff.
  expect(bodies[0]?.message).toEqual(said)
  for (const body of bodies.slice(1, 5)) {
    expect(body?.message).toEqual({
      ...said,
      seq: said.seq + 1,
      author: { ...must(said.author), name: customer.email },
    })
    expect(body?.ticket).toMatchObject({ status: 'in-progress', assignee: { id: must(staff[0]).user_id } })
  }
  expect(bodies.slice(5)).toEqual([undefined, undefined])
  expect(heard.slice(5).map(({ data }) => data['concerns'])).toEqual([
    [must(staff[0]).user_id],
    [must(staff[0]).user_id],
  ])
  // The signals for the customer and for staff may come one after the other, so the five streams that want the text cause at most two
  // reads.
  const sent = read.mock.calls
    .flatMap(([, events]) => events)
    .filter(({ type }) => type === 'message.created')
  expect(sent).toHaveLength(2)
  expect(read.mock.calls.length).toBeLessThanOrEqual(2)
  read.mockRestore()

  const { seq } = said
  await must(staff[0]).api.call(messages.markRead, { params: { chatId }, body: { seq: seq + 1 } })
  const seen = await must(streams[0]).until(({ type }) => type === 'message.read')
  expect(seen.data).toMatchObject({
    seq,
    body: { read: { user_id: must(staff[0]).user_id, is_staff: true, seq } },
  })
  expect((seen.data['body'] as contract.LiveBody).read?.name).not.toContain('@')
  const told = await must(streams[2]).until(({ type }) => type === 'message.read')
  expect(told.data['body']).toMatchObject({ read: { seq: seq + 1 } })
  for (const stream of streams) stream.close()
})

it('a large message comes without its words', async () => {
  const [stream] = await open([customer])
  await say(must(staff[0]), 'x'.repeat(19_000))
  const { data } = await must(stream).until(({ type }) => type === 'message.created')
  expect(data['body']).toBeUndefined()
  must(stream).close()
})

it('rule 4: staff who are the customer of a ticket get only the events of a customer, and none of its notes', async () => {
  const own = must(staff[0])
  const [stream] = await open([own])
  const body = { subject: 'My own', message: 'How?', topic: 'review' as const }
  const ticket = bodyOf(await own.api.call(contract.createTicket, { body }), 201)
  const note = { client_id: randomUUID(), text: 'One of us.' }
  const params = { chatId: ticket.id }
  await must(staff[1]).api.call(messages.postNote, { params, body: note })
  const reply = { client_id: randomUUID(), text: 'Like this.' }
  await must(staff[1]).api.call(messages.postMessage, { params, body: reply })
  await must(stream).until(({ data }) => data['by'] === must(staff[1]).user_id)
  const events = must(stream).events.filter(({ data }) => data['chat_id'] === ticket.id)
  expect(events.map(({ data }) => [data['kind'], data['staff'] ?? false])).toEqual([
    ['comment', false],
    ['comment', false],
  ])
  must(stream).close()
})

it('a text that takes long to read holds up its own readers alone', async () => {
  const stranger = await signedInCustomer(test)
  const [own, other] = await open([customer, stranger])
  const bodies = must(app.eventBodies[0])
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { read: really } = bodies
  const read = vi.spyOn(bodies, 'read').mockImplementation(async (...wanted) => {
    begin()
    await held
    return really(...wanted)
  })
  await say(customer, 'Once more.')
  await begun
  await transaction(app, 'system', (tx) => publish(tx, stranger.user_id, { type: liveEvent('test.said') }))
  await must(other).until(({ type }) => type === 'test.said')
  expect(must(own).events.filter(({ type }) => type === 'message.created')).toEqual([])
  release()
  const heard = await must(own).until(({ type }) => type === 'message.created')
  expect(heard.data['body']).toMatchObject({ message: { text: 'Once more.' } })
  read.mockRestore()
  for (const stream of [own, other]) must(stream).close()
})
