import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import * as desk from '#features/support/desk/contract.ts'
import * as messages from '#features/support/messages/contract.ts'
import * as contract from '#features/support/tickets/contract.ts'
import { jobs as closing } from '#features/support/tickets/server/auto-close.ts'
import { jobs as waking } from '#features/support/tickets/server/snooze.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test
// The superuser moves times into the past, which no other role of the database may do.
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const [olivia, jonas, anna] = [
  await signedInStaff(test),
  await signedInStaff(test),
  await signedInCustomer(test),
]

async function opened({ api }: Customer = anna) {
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const }
  return { chatId: bodyOf(await api.call(contract.createTicket, { body }), 201).id }
}

type Params = { chatId: string }
const act = (params: Params, body: InputOf<typeof desk.changeTicket>['body'], { api } = olivia) =>
  api.call(desk.changeTicket, { params, body })
const acted = async (...of: Parameters<typeof act>) => bodyOf(await act(...of), 200)
const listed = async (query: InputOf<typeof desk.listStaffTickets>['query']) =>
  bodyOf(await olivia.api.call(desk.listStaffTickets, { query }), 200).items.map(({ id }) => id)
const counted = async () => bodyOf(await olivia.api.call(desk.countStaffTickets, {}), 200)
const say = ({ api }: Customer, params: Params) =>
  api.call(messages.postMessage, { params, body: { client_id: randomUUID(), text: 'Any news?' } })
const seen = async ({ api }: Customer, params: Params) =>
  bodyOf(await api.call(contract.getTicket, { params }), 200)

/** Moves the times of a ticket into the past, and runs a job for it. */
async function later({ chatId }: Params, hours: number, name: string) {
  const { rows } = await superuser.query<{ id: string }>(
    `update tickets set snoozed_until = snoozed_until - make_interval(hours => $2),
      pending_since = pending_since - make_interval(hours => $2) where public_id = $1 returning id`,
    [chatId, hours],
  )
  const job = must([...waking, ...closing].find((one) => one.name === name))
  await job.run(app, { ticket_id: must(rows[0]).id }, 'test')
}

it('tags a ticket as typed, in one form, for staff alone, and finds it by each of them', async () => {
  const [params, other] = [await opened(), await opened()]
  const before = await seen(anna, params)
  expect((await acted(params, { add_tags: ['  #Slow   Disk ', 'VIP', 'slow disk'] })).tags).toEqual([
    'slow disk',
    'vip',
  ])
  await acted(other, { add_tags: ['vip'] })
  // Two tabs add and remove: neither takes away what the other did.
  await Promise.all([
    acted(params, { add_tags: ['migration'] }, jonas),
    acted(params, { add_tags: ['ssl'], remove_tags: ['VIP'] }),
  ])
  expect((await seen(olivia, params)).tags?.toSorted()).toEqual(['migration', 'slow disk', 'ssl'])
  expect(await listed({ tab: 'incoming', tag: 'Slow Disk' })).toEqual([params.chatId])
  expect(await listed({ tag: 'vip' })).toEqual([other.chatId])
  const { items } = bodyOf(await olivia.api.call(desk.listTags, {}), 200)
  expect(items.map(({ name }) => name)).toEqual(['migration', 'slow disk', 'ssl', 'vip'])
  // The customer sees what they saw: no field, no line, no later change.
  expect(await seen(anna, params)).toEqual(before)
  expect(before).not.toHaveProperty('tags')
  expect(before).not.toHaveProperty('snoozed')
})

it('tags and sleep are live for all staff who look, and no event goes to the customer', async () => {
  const params = await opened()
  await jonas.api.call(desk.tellPresence, { params, body: { state: 'here' } })
  const streams = await Promise.all(
    [anna, jonas].map(({ api }) => openEvents(test.url, must(api.access_token))),
  )
  const [hers, his] = [must(streams[0]), must(streams[1])]
  await acted(params, { add_tags: ['live'] })
  await acted(params, { snooze: {} })
  // The event of the tags may be read when the ticket sleeps already: whom an event concerns tells the two apart.
  const changed = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
    type === 'ticket.changed' && data['concerns'] === 'all'
  const { data } = await his.until(changed)
  expect(data).toMatchObject({ body: { ticket: { tags: ['live'] } } })
  expect(JSON.stringify(data)).toContain('"until":null')
  // Her next event is that of the message, which was published after all of them.
  await say(olivia, params)
  await hers.until(({ type, data: told }) => type === 'message.created' && told['chat_id'] === params.chatId)
  expect(hers.events.map(({ type }) => type)).not.toContain('ticket.changed')
  for (const stream of streams) stream.close()
})

it('refuses an eleventh tag, and forgets tags that no ticket has when there are too many', async () => {
  const params = await opened()
  const ten = Array.from({ length: 10 }, (_, place) => `tag ${place}`)
  await acted(params, { add_tags: ten })
  expect(await act(params, { add_tags: ['one more'], priority: 'high' })).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'too_many_tags', param: 'add_tags' }] },
  })
  // All acts or none.
  expect(await seen(olivia, params)).toMatchObject({ priority: 'medium', tags: ten })
  expect(await act(params, { add_tags: [' # '] })).toMatchObject({ status: 400 })
  await superuser.query(`insert into ticket_tags (name) select 'unused ' || n from generate_series(1, 600) n`)
  await acted(params, { add_tags: ['new'], remove_tags: ['tag 0'] })
  const { rows } = await superuser.query(`select from ticket_tags where name like 'unused%'`)
  expect(rows).toEqual([])
})

it('a ticket sleeps until a time: it is in no list of open ones, is not closed meanwhile, and a job brings it back', async () => {
  const params = await opened()
  const before = await counted()
  const until = new Date(Date.now() + 9 * 86_400_000).toISOString()
  expect((await acted(params, { snooze: { until } })).snoozed).toMatchObject({ until })
  expect(await listed({ tab: 'incoming' })).not.toContain(params.chatId)
  expect((await listed({ tab: 'snoozed' }))[0]).toBe(params.chatId)
  expect(await counted()).toMatchObject({ incoming: before.incoming - 1, snoozed: before.snoozed + 1 })
  // An answer of staff does not wake it, and neither does a note; nor is it closed because its customer is silent.
  await say(olivia, params)
  await later(params, 7.5 * 24, 'wake_ticket')
  await later(params, 0, 'close_silent_ticket')
  expect(await seen(olivia, params)).toMatchObject({
    status: 'pending',
    snoozed: expect.anything() as unknown,
  })
  await later(params, 2 * 24, 'wake_ticket')
  expect(await seen(olivia, params)).toMatchObject({ status: 'pending', snoozed: null })
  expect(await listed({ tab: 'waiting' })).toContain(params.chatId)
  // It waits for its customer anew from then on.
  await later(params, 0, 'close_silent_ticket')
  expect(await seen(anna, params)).toMatchObject({ status: 'pending' })
  await later(params, 8 * 24, 'close_silent_ticket')
  expect(await seen(anna, params)).toMatchObject({ status: 'closed' })
})

it('a ticket sleeps until its customer answers, and closing ends it; a past time, and a closed ticket, are refused', async () => {
  const params = await opened()
  await acted(params, { snooze: {} })
  await jonas.api.call(messages.postNote, { params, body: { client_id: randomUUID(), text: 'Hm.' } })
  expect((await seen(olivia, params)).snoozed).toMatchObject({ until: null })
  await say(anna, params)
  expect(await seen(olivia, params)).toMatchObject({ status: 'opened', snoozed: null })
  await acted(params, { snooze: { hours: 3 }, assignee: jonas.user_id })
  expect(await acted(params, { status: 'closed' })).toMatchObject({
    snoozed: null,
    assignee: { id: jonas.user_id },
  })
  for (const [body, status, code] of [
    [{ snooze: { until: '2020-01-01T00:00:00Z' }, status: 'open' }, 400, 'past_time'],
    [{ snooze: { hours: 3 } }, 409, 'ticket_closed'],
    [{ assignee: anna.user_id, status: 'open' }, 409, 'own_ticket'],
    [{ assignee: randomUUID(), status: 'open' }, 400, 'unknown_staff'],
  ] as const)
    expect(await act(params, body)).toMatchObject({ status, body: { errors: [{ code }] } })
  expect(await seen(olivia, params)).toMatchObject({ status: 'closed' })
  const own = await opened(olivia)
  expect(await act(own, { add_tags: ['mine'] })).toMatchObject({ status: 409 })
})
