import { describe, expect, it } from 'vitest'
import * as contract from '#features/support/answers/contract.ts'
import {
  assignTicket,
  changeTicket,
  countStaffTickets,
  listStaffTickets,
  markSpam,
} from '#features/support/desk/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { postMessage } from '#features/support/messages/contract.ts'
import { closeTicket, createTicket, getTicket, reopenTicket } from '#features/support/tickets/contract.ts'
import { expectAnswer, expectNewAnswer } from '#features/support/tickets/due-contract.ts'
import type { Priority } from '#features/support/tickets/rules.ts'
import { randomUUID } from 'node:crypto'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { expectAllAnew } from './answers.ts'

const test = await startTestApp()
const admin = await signedInStaff(test, { roles: ['admin'] })
const always = { from: '00:00', to: '24:00' }
const everyDay = Array.from({ length: 7 }, () => always)

const times = async () => bodyOf(await admin.api.call(contract.readAnswerTimes, {}), 200)
async function promise(hours: ({ from: string; to: string } | null)[] = everyDay) {
  const { version } = await times()
  const saved = bodyOf(
    await admin.api.call(contract.changeAnswerCalendar, { body: { zone: 'Europe/Berlin', hours, version } }),
    200,
  )
  const items = (['critical', 'medium'] as const).map((priority) => ({
    priority,
    first_minutes: priority === 'critical' ? 30 : 240,
    next_minutes: priority === 'critical' ? 60 : 480,
  }))
  const body = { edition: null, items, version: saved.version }
  return bodyOf(await admin.api.call(contract.changeAnswerTargets, { body }), 200)
}

async function opened({ api }: Customer, priority: Priority = 'medium') {
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const, priority }
  return bodyOf(await api.call(createTicket, { body }), 201)
}
const ticketOf = async ({ api }: Customer, chatId: string) =>
  bodyOf(await api.call(getTicket, { params: { chatId } }), 200)
const say = ({ api }: Customer, chatId: string) =>
  api.call(postMessage, { params: { chatId }, body: { client_id: randomUUID(), text: 'A text' } })
const minutesFrom = (from: string | null, to: string | null) =>
  from === null || to === null ? null : Math.round((Date.parse(to) - Date.parse(from)) / 60_000)

describe('the expected answer', () => {
  it('is promised to nobody until the desk has hours', async () => {
    const customer = await signedInCustomer(test)
    const { id, due_at } = await opened(customer)
    expect(due_at).toBeNull()
    const told = { due_at: null, before: 0 }
    expect(bodyOf(await customer.api.call(expectNewAnswer, { query: {} }), 200)).toEqual(told)
    expect(bodyOf(await customer.api.call(expectAnswer, { params: { chatId: id } }), 200)).toEqual(told)
  })

  it('moves with the turn: from the first to each next, and to none for what waits for the customer or is closed', async () => {
    await promise()
    const [customer, member] = [await signedInCustomer(test), await signedInStaff(test)]
    const ticket = await opened(customer)
    expect(minutesFrom(ticket.waiting_since, ticket.due_at)).toBe(240)
    const chatId = ticket.id
    await member.api.call(assignTicket, { params: { chatId }, body: {} })
    expect((await ticketOf(customer, chatId)).due_at).toBe(ticket.due_at)
    await say(customer, chatId)
    expect((await ticketOf(customer, chatId)).due_at).toBe(ticket.due_at)
    await say(member, chatId)
    expect((await ticketOf(customer, chatId)).due_at).toBeNull()
    await say(customer, chatId)
    const again = await ticketOf(customer, chatId)
    expect(minutesFrom(again.waiting_since, again.due_at)).toBe(480)
    await member.api.call(changeTicket, { params: { chatId }, body: { priority: 'critical' } })
    const pressing = await ticketOf(customer, chatId)
    expect(minutesFrom(again.waiting_since, pressing.due_at)).toBe(60)
    await member.api.call(changeTicket, { params: { chatId }, body: { priority: 'low' } })
    expect((await ticketOf(customer, chatId)).due_at).toBeNull()
    await member.api.call(changeTicket, { params: { chatId }, body: { priority: 'medium' } })
    await customer.api.call(closeTicket, { params: { chatId } })
    expect((await ticketOf(customer, chatId)).due_at).toBeNull()
    await customer.api.call(reopenTicket, { params: { chatId } })
    const { waiting_since, due_at } = await ticketOf(customer, chatId)
    expect(minutesFrom(waiting_since, due_at)).toBe(480)
    await member.api.call(markSpam, { params: { chatId } })
    expect((await ticketOf(customer, chatId)).due_at).toBeNull()
  })

  it('is none while a ticket sleeps, and counts from the moment at which it wakes', async () => {
    await promise()
    const ticket = await opened(await signedInCustomer(test))
    const snooze = (since: string) =>
      asOwner(test, `update tickets set snoozed_at = ${since} where public_id = $1 returning due_at`, [
        ticket.id,
      ])
    await asOwner(
      test,
      "update tickets set waiting_since = now() - interval '3 hours' where public_id = $1",
      [ticket.id],
    )
    expect(await snooze('now()')).toEqual([{ due_at: null }])
    const [awake] = (await snooze('null')) as { due_at: Date }[]
    expect(minutesFrom(new Date().toISOString(), awake?.due_at.toISOString() ?? null)).toBe(240)
  })

  it('says before and after the writing how many are before: those whose answer is expected earlier', async () => {
    await promise()
    await asOwner(test, "update tickets set status = 'closed', closed_at = now() where status <> 'closed'")
    const [first, second] = [await signedInCustomer(test), await signedInCustomer(test)]
    const { id } = await opened(first)
    const expected = async (priority: Priority) =>
      bodyOf(await second.api.call(expectNewAnswer, { query: { priority } }), 200).before
    expect([await expected('medium'), await expected('critical')]).toEqual([1, 0])
    const pressing = await opened(second, 'critical')
    const placeOf = async (customer: Customer, chatId: string) =>
      bodyOf(await customer.api.call(expectAnswer, { params: { chatId } }), 200).before
    expect([await placeOf(first, id), await placeOf(second, pressing.id)]).toEqual([1, 0])
    expect((await second.api.call(expectAnswer, { params: { chatId: id } })).status).toBe(404)
    const list = bodyOf(await admin.api.call(listStaffTickets, { query: { tab: 'incoming' } }), 200)
    const low = await opened(first, 'low')
    expect(low.due_at).toBeNull()
    const all = bodyOf(await admin.api.call(listStaffTickets, { query: { tab: 'incoming' } }), 200)
    expect([list, all].map(({ items }) => items.map((one) => one.id))).toEqual([
      [pressing.id, id],
      [pressing.id, id, low.id],
    ])
  })

  it('is counted as late by staff once it is over, for whoever has the ticket', async () => {
    await promise()
    const [customer, member] = [await signedInCustomer(test), await signedInStaff(test)]
    const counts = async () => bodyOf(await member.api.call(countStaffTickets, {}), 200)
    const before = await counts()
    const { id } = await opened(customer)
    await member.api.call(assignTicket, { params: { chatId: id }, body: {} })
    await say(member, id)
    await say(customer, id)
    await asOwner(test, "update tickets set due_at = now() - interval '1 minute' where public_id = $1", [id])
    expect((await counts()).late).toBe(before.late + 1)
  })

  it('lists the late ones alone, the longest-late first, in every tab and a page at a time', async () => {
    await promise()
    const [customer, member] = [await signedInCustomer(test), await signedInStaff(test)]
    const late = async (ago: string, of = customer) => {
      const { id } = await opened(of)
      await asOwner(
        test,
        `update tickets set due_at = date_trunc('milliseconds', now() - $2::interval) where public_id = $1`,
        [id, ago],
      )
      return id
    }
    await opened(customer)
    const [one, two, three] = [await late('1 hour'), await late('3 hours'), await late('2 hours')]
    await member.api.call(assignTicket, { params: { chatId: three }, body: {} })
    await late('5 hours', member)
    await member.api.call(markSpam, { params: { chatId: await late('4 hours') } })
    const answered = await late('6 hours')
    await member.api.call(assignTicket, { params: { chatId: answered }, body: {} })
    await say(member, answered)
    const page = async (query: InputOf<typeof listStaffTickets>['query']) =>
      bodyOf(
        await member.api.call(listStaffTickets, {
          query: { late: 'yes', customer: customer.user_id, ...query },
        }),
        200,
      )
    const ids = async (query: Parameters<typeof page>[0]) => (await page(query)).items.map(({ id }) => id)
    expect(await ids({})).toEqual([two, three, one])
    const first = await page({ limit: '2' })
    expect(first.items.map(({ id }) => id)).toEqual([two, three])
    expect(await ids({ limit: '2', cursor: first.next_cursor ?? '' })).toEqual([one])
    expect(await ids({ tab: 'incoming' })).toEqual([two, one])
    expect(await ids({ assignee: 'me' })).toEqual([three])
    expect(await ids({ tab: 'closed' })).toEqual([])
  })

  it('is computed anew for waiting tickets when hours change, and only then', async () => {
    await promise()
    const customer = await signedInCustomer(test)
    const [waiting, answered] = [await opened(customer), await opened(customer)]
    await say(admin, answered.id)
    await promise(everyDay.map(() => null))
    await expectAllAnew(test.app)
    expect((await ticketOf(customer, waiting.id)).due_at).toBeNull()
    await promise()
    await expectAllAnew(test.app)
    expect((await ticketOf(customer, waiting.id)).due_at).toBe(waiting.due_at)
    expect((await ticketOf(customer, answered.id)).due_at).toBeNull()
  })
})

describe('the times', () => {
  it('are changed by admins, once for each version that was seen', async () => {
    const { version } = await promise()
    const member = await signedInStaff(test)
    const body = { zone: 'UTC', version }
    const call = ({ api }: Customer) => api.call(contract.changeAnswerCalendar, { body })
    expect((await call(member)).body).toMatchObject(refusal(403, 'not_allowed'))
    bodyOf(await call(admin), 200)
    const stale = await call(admin)
    expect(stale).toMatchObject({ status: 409, body: { present: { zone: 'UTC', version: version + 1 } } })
    expect((await member.api.call(contract.readAnswerTimes, {})).status).toBe(200)
  })

  it.each([
    [{ zone: 'Mars/Olympus' }, 'unknown_time_zone', 'zone'],
    [{ hours: everyDay.slice(1) }, 'invalid', 'hours'],
    [{ hours: [...everyDay.slice(1), { from: '17:00', to: '09:00' }] }, 'invalid', 'hours.6'],
    [{ hours: [...everyDay.slice(1), { from: '17:00', to: '24:15' }] }, 'invalid', 'hours.6'],
    [{ holidays: [{ day: '2026-02-30', name: '' }] }, 'invalid', 'holidays.0.day'],
  ])('refuse what is none: %j', async (body, code, param) => {
    const { version } = await times()
    const answer = await admin.api.call(contract.changeAnswerCalendar, { body: { ...body, version } })
    expect(answer.body).toMatchObject(refusal(400, code, param))
  })

  it('refuse targets of an edition that there is not', async () => {
    const { version } = await times()
    const body = { edition: 'none', items: [], version }
    const answer = await admin.api.call(contract.changeAnswerTargets, { body })
    expect(answer.body).toMatchObject(refusal(400, 'unknown_edition', 'edition'))
  })
})
