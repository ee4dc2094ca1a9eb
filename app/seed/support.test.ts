import * as desk from '#features/support/desk/contract.ts'
import * as messages from '#features/support/messages/contract.ts'
import { beforeAll, expect, it } from 'vitest'
import { listReplies } from '#features/support/desk/contract.ts'
import type * as contract from '#features/support/tickets/contract.ts'
import { statuses, topics } from '#features/support/tickets/rules.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { seedDemo } from './seed-demo.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp()
let staff: Customer
let tickets: contract.Ticket[]

beforeAll(async () => {
  await seedDemo(test.app)
  staff = await signedInStaff(test)
  tickets = bodyOf(await staff.api.call(desk.listStaffTickets, { query: { limit: '100' } }), 200).items
}, 60_000)

it('K-01 K-02 the example data hold tickets in every status and about every topic', () => {
  expect(new Set(tickets.map(({ status }) => status))).toEqual(new Set(statuses))
  expect(new Set(tickets.map(({ topic }) => topic))).toEqual(new Set(topics))
})

it('one of them is long, with notes; both counts are without holes, and times only go on', async () => {
  const { id, last_seq } = must(tickets.find(({ subject }) => subject.startsWith('Slow every night')))
  const query = { limit: '100' }
  const { items } = bodyOf(
    await staff.api.call(messages.listMessages, { params: { chatId: id }, query }),
    200,
  )
  expect(items.length).toBeGreaterThan(20)
  expect(items.filter(({ kind }) => kind === 'note').length).toBeGreaterThan(2)
  expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: last_seq }, (_, place) => place + 1))
  const files = items.flatMap(({ attachments }) => attachments)
  expect(files.map(({ name, preview }) => [name, preview !== null])).toEqual([
    ['load-of-three-nights.png', true],
    ['iotop.txt', false],
    ['disk-usage.png', true],
  ])
  const rows = await test.app.db
    .selectFrom('ticket_messages')
    .select('customer_seq')
    .where('kind', '<>', 'note')
    .where('ticket_id', 'in', (from) => from.selectFrom('tickets').select('id').where('public_id', '=', id))
    .orderBy('seq')
    .execute()
  expect(rows.map(({ customer_seq }) => customer_seq)).toEqual(rows.map((_, place) => place + 1))
  const times = items.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted())
})

it('a waiting party has waited since its first unanswered message', () => {
  for (const { status, waiting_since, closed_at, last_message_at } of tickets) {
    expect([waiting_since !== null, closed_at !== null]).toEqual([
      status === 'opened' || status === 'in-progress',
      status === 'closed',
    ])
    expect(new Date(last_message_at).getTime()).toBeLessThan(Date.now())
  }
})

it('the example data hold canned replies in English, German and Russian', async () => {
  const { items } = bodyOf(await staff.api.call(listReplies, {}), 200)
  expect(new Set(items.map(({ language }) => language))).toEqual(new Set(['en', 'de', 'ru']))
})
