import * as desk from '#features/support/desk/contract.ts'
import * as messages from '#features/support/messages/contract.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { listReplies } from '#features/support/desk/contract.ts'
import { listViews } from '#features/support/desk/view-contract.ts'
import type * as contract from '#features/support/tickets/contract.ts'
import { statuses, topics } from '#features/support/tickets/rules.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { seedDemo } from './seed-demo.ts'
import { must } from '#foundation/must.ts'
import { getUnread } from '#features/notifications/contract.ts'
import { readAnswerTimes } from '#features/support/answers/contract.ts'
import { getWholeMail } from '#features/support/mail/contract.ts'
import { listRatings } from '#features/support/ratings/contract.ts'
import { isLate } from '#features/support/tickets/rules.ts'
import { anna, jonas, olivia } from './people.ts'

const test = await startTestApp()
let staff: Customer
let tickets: contract.Ticket[]

beforeAll(async () => {
  await seedDemo(test.app)
  staff = await signedInStaff(test)
  tickets = bodyOf(await staff.api.call(desk.listStaffTickets, { query: { limit: '100' } }), 200).items
}, 240_000)

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
  const macros = items.filter(({ acts }) => Object.keys(acts).length > 0)
  expect(new Set(macros.map(({ language }) => language))).toEqual(new Set(['en', 'de', 'ru']))
})

it('the example data hold tags, a ticket that sleeps, and views for the whole team that find some', async () => {
  expect(tickets.filter(({ snoozed }) => snoozed)).toHaveLength(1)
  const { items } = bodyOf(await staff.api.call(listViews, {}), 200)
  expect(items.map(({ name, shared }) => [name, shared])).toEqual([
    ['Technical, unassigned', true],
    ['VIP', true],
  ])
  for (const { filter } of items)
    expect(bodyOf(await staff.api.call(desk.listStaffTickets, { query: filter }), 200).items).not.toEqual([])
})

describe('the desk of the example data', () => {
  const messagesOf = async ({ id }: contract.Ticket) => {
    const query = { limit: '100' }
    return bodyOf(await staff.api.call(messages.listMessages, { params: { chatId: id }, query }), 200).items
  }
  const all = async () => (await Promise.all(tickets.map(messagesOf))).flat()

  it('has hours, holidays and targets; one answer is late, and others are expected', async () => {
    const times = bodyOf(await staff.api.call(readAnswerTimes, {}), 200)
    expect(times.hours.map((open) => open !== null)).toEqual([true, true, true, true, true, true, false])
    expect(times.holidays.length).toBeGreaterThan(1)
    expect(times.targets.map(({ edition }) => edition)).toEqual([null, 'business'])
    const expected = tickets.filter(({ due_at }) => due_at !== null)
    expect(expected.length).toBeGreaterThan(4)
    expect(expected.filter((ticket) => isLate(ticket, Date.now())).length).toBeGreaterThan(0)
  })

  it('has a secret for each side, a removed message, a mail, and mentions', async () => {
    const said = await all()
    const waiting = said.filter(({ secret }) => secret?.state === 'waiting')
    expect(new Set(waiting.map(({ author }) => author?.is_staff))).toEqual(new Set([true, false]))
    expect(said.filter(({ redacted }) => redacted)).toHaveLength(1)
    expect(said.filter(({ by_mail }) => by_mail)).toHaveLength(2)
    const { id } = must(tickets.find(({ subject }) => subject.startsWith('Restore one folder')))
    const whole = await staff.api.call(getWholeMail, { params: { chatId: id, seq: '4' } })
    expect(bodyOf(whole, 200).text).toContain('> Good morning Anna')
  })

  it('has a ticket that is merged and can be undone, and one that is split off', async () => {
    const merged = must(tickets.find(({ merged_into }) => merged_into))
    expect(Date.parse(must(merged.merged_into).undo_until)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    const split = must(tickets.find(({ subject }) => subject === 'Invoices for our bookkeeper'))
    expect(split.status).toBe('pending')
    const codes = (await messagesOf(split)).map(({ event }) => event?.code)
    expect(codes).toContain('split_from')
  })

  it('is rated by three faces with words, and rings the bells of customers and staff', async () => {
    const { items } = bodyOf(await staff.api.call(listRatings, { query: { limit: '50' } }), 200)
    expect(new Set(items.map(({ face }) => face))).toEqual(new Set(['good', 'fair', 'poor']))
    expect(must(items.find(({ face }) => face === 'poor')).word).not.toBe('')
    for (const { email, password } of [anna, olivia, jonas]) {
      const browser = test.client()
      await browser.post('/api/allauth/app/v1/auth/login', { email, password })
      const { count } = bodyOf(await browser.call(getUnread, {}), 200)
      expect(count, email).toBeGreaterThan(1)
    }
  })
})
