import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import * as desk from '#features/support/desk/contract.ts'
import * as contract from '#features/support/desk/several-contract.ts'
import * as messages from '#features/support/messages/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const [olivia, jonas] = [await signedInStaff(test), await signedInStaff(test)]

async function opened({ api }: Customer): Promise<string> {
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const }
  return bodyOf(await api.call(tickets.createTicket, { body }), 201).id
}

const act = async (ids: string[], acts: Acts, { api } = olivia) =>
  bodyOf(await api.call(contract.actOnTickets, { body: { ids, acts } }), 200)
const undo = async (actId: string, { api } = olivia) =>
  bodyOf(await api.call(contract.undoActOnTickets, { params: { actId } }), 200).results
const seen = async (chatId: string, { api } = jonas) =>
  bodyOf(await api.call(tickets.getTicket, { params: { chatId } }), 200)
const say = ({ api }: Customer, chatId: string) =>
  api.call(messages.postMessage, { params: { chatId }, body: { client_id: randomUUID(), text: 'Well.' } })

it('does acts on each ticket by itself, and tells by line which could not be done; undoing puts all back', async () => {
  const anna = await signedInCustomer(test)
  const [incoming, answered, closed, own] = [
    await opened(anna),
    await opened(anna),
    await opened(anna),
    await opened(olivia),
  ] as const
  await say(jonas, answered)
  await act([closed], { status: 'closed', add_tags: ['old'] })
  const before = [await seen(incoming), await seen(answered)]
  const unknown = 'A'.repeat(22)
  const acts: Acts = { status: 'closed', assignee: 'me', add_tags: ['outage'], priority: 'high' }
  const done = await act([incoming, answered, closed, own, unknown, incoming], acts)
  expect(done.results).toEqual([
    { id: incoming, done: true, error: null },
    { id: answered, done: true, error: null },
    { id: closed, done: false, error: 'ticket_closed' },
    { id: own, done: false, error: 'own_ticket' },
    { id: unknown, done: false, error: 'not_found' },
  ])
  const after = { status: 'closed', priority: 'high', assignee: { id: olivia.user_id }, tags: ['outage'] }
  expect(await seen(incoming)).toMatchObject(after)
  // All acts or none: the closed ticket has not got the tag either.
  expect((await seen(closed)).tags).toEqual(['old'])
  // Nobody else undoes it, and it is undone once.
  expect(await undo(done.act_id, jonas)).toEqual([])
  expect((await undo(done.act_id)).map((line) => line.done)).toEqual([true, true])
  for (const [place, id] of [incoming, answered].entries()) {
    const { status, assignee, tags, priority, waiting_since, closed_at } = await seen(id)
    expect(before[place]).toMatchObject({ status, assignee, tags, priority, waiting_since, closed_at })
  }
  expect(await undo(done.act_id)).toEqual([])
  // The customer reads what happened, both ways, and nothing of the tags.
  const { items } = bodyOf(
    await anna.api.call(messages.listMessages, { params: { chatId: incoming }, query: {} }),
    200,
  )
  expect(items.flatMap(({ event }) => event?.code ?? [])).toEqual([
    'priority_changed',
    'taken',
    'closed',
    'reopened',
    'priority_changed',
    'given_back',
  ])
})

it('undoes nothing in a ticket that was merged meanwhile, and says so; what was split or redacted there stays so', async () => {
  const anna = await signedInCustomer(test)
  const [merged, into, parted] = [await opened(anna), await opened(anna), await opened(anna)]
  await say(anna, parted)
  const { act_id } = await act([merged, parted], { add_tags: ['outage'], priority: 'high' })
  const { number } = await seen(into)
  const merging = await olivia.api.call(tickets.mergeTicket, { params: { chatId: merged }, body: { number } })
  expect(merging.status).toBe(200)
  const rest = { seq: 2, subject: 'The rest', client_id: randomUUID() }
  const { id } = bodyOf(
    await olivia.api.call(tickets.splitTicket, { params: { chatId: parted }, body: rest }),
    201,
  )
  const removed = { params: { chatId: parted, seq: '1' }, body: {} }
  expect((await anna.api.call(messages.redactMessage, removed)).status).toBe(200)
  expect(await undo(act_id)).toEqual([
    { id: merged, done: false, error: 'changed_since' },
    { id: parted, done: true, error: null },
  ])
  expect(await seen(merged)).toMatchObject({ tags: ['outage'], merged_into: { id: into } })
  expect(await seen(parted)).toMatchObject({ tags: [], priority: 'medium' })
  expect(await seen(id)).toMatchObject({ subject: 'The rest', priority: 'high' })
  const { items } = bodyOf(
    await jonas.api.call(messages.listMessages, { params: { chatId: parted }, query: {} }),
    200,
  )
  expect(items[0]).toMatchObject({ seq: 1, text: '', redacted: expect.anything() as unknown })
})

it('undoes no ticket that was changed since, and nothing after ten minutes', async () => {
  const anna = await signedInCustomer(test)
  const ids = [await opened(anna), await opened(anna), await opened(anna)] as const
  const [answered, tagged, asleep] = ids
  const { act_id } = await act([...ids], { status: 'closed' })
  await say(anna, answered)
  expect(await undo(act_id)).toEqual([
    { id: answered, done: false, error: 'changed_since' },
    { id: tagged, done: true, error: null },
    { id: asleep, done: true, error: null },
  ])
  expect(await seen(answered)).toMatchObject({ status: 'opened' })
  const slept = await act([tagged, asleep], { snooze: { hours: 5 }, add_tags: ['later'] })
  await jonas.api.call(desk.changeTicket, { params: { chatId: tagged }, body: { add_tags: ['mine'] } })
  expect((await undo(slept.act_id)).map(({ error }) => error)).toEqual(['changed_since', null])
  expect(await seen(tagged)).toMatchObject({ tags: ['later', 'mine'], snoozed: expect.anything() as unknown })
  expect(await seen(asleep)).toMatchObject({ tags: [], snoozed: null })
  const late = await act([asleep], { add_tags: ['late'] })
  await superuser.query(`update acts_to_undo set created_at = now() - interval '11 minutes'`)
  expect(await undo(late.act_id)).toEqual([])
  expect(await seen(asleep)).toMatchObject({ tags: ['late'] })
})

// Seen red: the answer was 503, and nobody could take back what was done to the first ticket.
it('tells by line which ticket could not be had in time, and goes on with the others', async () => {
  const hurried = await startTestApp({ isHurried: true })
  const [anna, mira, holder] = [
    await signedInCustomer(hurried),
    await signedInStaff(hurried),
    await superuserOf(hurried),
  ]
  const ids = [await opened(anna), await opened(anna), await opened(anna)]
  await holder.query('begin')
  await holder.query('select from tickets where public_id = $1 for update', [ids[1]])
  const { act_id, results } = await act(ids, { add_tags: ['outage'] }, mira)
  await holder.query('rollback')
  await holder.end()
  expect(results.map(({ done, error }) => error ?? done)).toEqual([true, 'unavailable', true])
  expect((await undo(act_id, mira)).map(({ done }) => done)).toEqual([true, true])
})

it.each<[string, Acts, Acts]>([
  ['opened', {}, { assignee: 'none' }],
  ['in-progress', { status: 'closed' }, { status: 'open' }],
  ['opened', { assignee: 'none', snooze: { hours: 5 } }, { snooze: null }],
])(
  'puts no turn back over what the customer has written since to a ticket that became %s by %j and %j',
  async (status, first, then) => {
    const anna = await signedInCustomer(test)
    const id = await opened(anna)
    await say(jonas, id)
    await act([id], first)
    const { act_id } = await act([id], then)
    expect(await seen(id)).toMatchObject({ status })
    await say(anna, id)
    const present = await seen(id)
    expect(await undo(act_id)).toEqual([{ id, done: false, error: 'changed_since' }])
    expect(await seen(id)).toEqual(present)
  },
)

// Seen red: the job that closes the ticket had come meanwhile, and no other was planned.
it.each<Acts>([{ status: 'closed' }, { snooze: { hours: 5 } }])(
  'lets a ticket that waits for its customer again, as %j is undone, be closed a week after the answer',
  async (acts) => {
    const id = await opened(await signedInCustomer(test))
    await say(jonas, id)
    const keys = `select unnest(array['ticket-warning:' || id, 'ticket-closing:' || id]) from tickets where public_id = $1`
    await superuser.query(
      `update tickets set pending_since = pending_since - interval '5 days' where public_id = $1`,
      [id],
    )
    const { act_id } = await act([id], acts)
    await superuser.query(`delete from jobs where key in (${keys})`, [id])
    expect((await undo(act_id)).map(({ done }) => done)).toEqual([true])
    const { rows } = await superuser.query(
      `select round(extract(epoch from run_at - pending_since) / 86400)::int as days
       from jobs, tickets where public_id = $1 and key in (${keys}) order by days`,
      [id],
    )
    expect(rows).toEqual([{ days: 6 }, { days: 7 }])
  },
)

it('puts tags and the priority back, whatever the customer has written since', async () => {
  const anna = await signedInCustomer(test)
  const id = await opened(anna)
  const { act_id } = await act([id], { add_tags: ['outage'], priority: 'high' })
  await say(anna, id)
  expect(await undo(act_id)).toEqual([{ id, done: true, error: null }])
  expect(await seen(id)).toMatchObject({ tags: [], priority: 'medium' })
})
