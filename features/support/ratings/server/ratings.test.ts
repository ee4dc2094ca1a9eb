import { expect, it } from 'vitest'
import * as contract from '#features/support/ratings/contract.ts'
import { assignTicket, markSpam } from '#features/support/desk/contract.ts'
import { postMessage } from '#features/support/messages/contract.ts'
import { closeTicket, createTicket, reopenTicket, splitTicket } from '#features/support/tickets/contract.ts'
import { randomUUID } from 'node:crypto'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { programOf } from '#tests/harness/grants.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { countPoorRatings } from './ratings.ts'

const test = await startTestApp()
const member = await signedInStaff(test)

async function closed(customer: Customer, by = member): Promise<string> {
  const body = { subject: 'A question', message: 'How?', topic: 'technical' as const }
  const { id: chatId } = bodyOf(await customer.api.call(createTicket, { body }), 201)
  await by.api.call(assignTicket, { params: { chatId }, body: {} })
  await by.api.call(postMessage, { params: { chatId }, body: { client_id: randomUUID(), text: 'So.' } })
  bodyOf(await customer.api.call(closeTicket, { params: { chatId } }), 200)
  return chatId
}
const rate = ({ api }: Customer, chatId: string, body: { face: 'good' | 'fair' | 'poor'; word?: string }) =>
  api.call(contract.rateTicket, { params: { chatId }, body })
const listed = async (query: { customer?: string; face?: 'poor' }) =>
  bodyOf(await member.api.call(contract.listRatings, { query }), 200).items

it('a closed ticket is rated by its customer, again until it is opened, and no rating is lost', async () => {
  const customer = await signedInCustomer(test)
  const chatId = await closed(customer)
  const first = bodyOf(await rate(customer, chatId, { face: 'poor', word: 'Too slow' }), 200)
  expect(first).toMatchObject({ rating: { face: 'poor', word: 'Too slow' }, earlier: 0 })
  expect(bodyOf(await rate(customer, chatId, { face: 'poor', word: 'Too slow' }), 200)).toEqual(first)
  const second = bodyOf(await rate(customer, chatId, { face: 'good' }), 200)
  expect(second).toMatchObject({ rating: { face: 'good', word: '' }, earlier: 1 })
  bodyOf(await customer.api.call(reopenTicket, { params: { chatId } }), 200)
  expect((await rate(customer, chatId, { face: 'fair' })).body).toMatchObject(refusal(409, 'ticket_open'))
  const read = await member.api.call(contract.getRating, { params: { chatId } })
  expect(bodyOf(read, 200)).toEqual(second)
})

it('nobody else rates it: no other customer, and no member of staff', async () => {
  const chatId = await closed(await signedInCustomer(test))
  const other = await signedInCustomer(test)
  for (const person of [other, member])
    expect((await rate(person, chatId, { face: 'good' })).status).toBe(404)
})

it('a program rates as the account, for a token is no person', async () => {
  const customer = await signedInCustomer(test)
  const chatId = await closed(customer)
  const { api } = await programOf(test, customer)
  const rated = await api.call(contract.rateTicket, { params: { chatId }, body: { face: 'good' } })
  expect(bodyOf(rated, 200)).toMatchObject({ rating: { face: 'good' } })
  const kept = await asOwner(test, 'select from ticket_ratings where user_id = $1', [customer.user_id])
  expect(kept).toHaveLength(1)
})

it('staff read the ratings that count, of all or of one customer, and poor ones of this week are news', async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const before = await countPoorRatings(test.app.db, member.user_id)
  const chats = [await closed(one), await closed(one), await closed(other)] as const
  await rate(one, chats[0], { face: 'poor' })
  await rate(one, chats[1], { face: 'poor', word: 'No' })
  await rate(one, chats[0], { face: 'fair' })
  await rate(other, chats[2], { face: 'good' })
  expect(await listed({ customer: one.user_id })).toMatchObject([
    { face: 'fair', ticket: { id: chats[0] }, customer: { id: one.user_id } },
    { face: 'poor', word: 'No', ticket: { id: chats[1] } },
  ])
  expect((await listed({ customer: one.user_id, face: 'poor' })).map(({ ticket }) => ticket.id)).toEqual([
    chats[1],
  ])
  expect(await countPoorRatings(test.app.db, member.user_id)).toBe(before + 1)
  // A rating of one's own ticket, or of spam, is neither listed nor news.
  const [own, spam] = [await closed(member, await signedInStaff(test)), await closed(other)]
  for (const [person, chatId] of [
    [member, own],
    [other, spam],
  ] as const)
    bodyOf(await rate(person, chatId, { face: 'poor' }), 200)
  bodyOf(await member.api.call(markSpam, { params: { chatId: spam } }), 200)
  expect(await listed({ customer: member.user_id })).toEqual([])
  expect(await listed({ customer: other.user_id, face: 'poor' })).toEqual([])
  expect(await countPoorRatings(test.app.db, member.user_id)).toBe(before + 1)
  await asOwner(test, "update ticket_ratings set rated_at = now() - interval '8 days'")
  expect(await countPoorRatings(test.app.db, member.user_id)).toBe(0)
})

it('a report sums tickets by week, topic and person, with medians, backlog and the ratings that count', async () => {
  await asOwner(test, 'delete from tickets')
  const [customer, colleague] = [await signedInCustomer(test), await signedInStaff(test)]
  const chats = [await closed(customer), await closed(customer), await closed(customer, colleague)] as const
  const spam = await closed(customer)
  await member.api.call(markSpam, { params: { chatId: spam } })
  for (const [place, chatId] of chats.entries()) {
    await asOwner(
      test,
      `update tickets set created_at = now() - interval '15 days' - make_interval(hours => $2),
         first_reply_at = now() - interval '15 days', closed_at = now() where public_id = $1`,
      [chatId, [1, 2, 6][place]],
    )
  }
  await rate(customer, chats[0], { face: 'poor' })
  await rate(customer, chats[0], { face: 'good' })
  const report = bodyOf(await member.api.call(contract.readSupportReport, { query: { weeks: '4' } }), 200)
  expect(report.weeks).toHaveLength(4)
  expect(report.weeks.map(({ open_at_end }) => open_at_end)).toEqual([expect.any(Number), 3, 3, 0])
  expect(report.weeks.at(-1)).toMatchObject({ closed: 3, good: 1, poor: 0 })
  expect(report.topics).toMatchObject([
    { topic: 'technical', opened: 3, closed: 3, first_answer_s: 7200, good: 1, fair: 0, poor: 0 },
  ])
  expect(report.people.map(({ person, closed: ended }) => [person?.id, ended])).toEqual([
    [member.user_id, 2],
    [colleague.user_id, 1],
  ])
})

it('a first answer in a ticket that was split off counts from the question that it answered, which is older than the ticket', async () => {
  await asOwner(test, 'delete from tickets')
  const customer = await signedInCustomer(test)
  const body = { subject: 'A question', message: 'How?', topic: 'technical' as const }
  const { id: chatId } = bodyOf(await customer.api.call(createTicket, { body }), 201)
  const params = { chatId }
  for (const by of [member, customer, member])
    await by.api.call(postMessage, { params, body: { client_id: randomUUID(), text: 'So.' } })
  // The database lets nobody else change the times of messages.
  const root = await superuserOf(test)
  await root.query('set session_replication_role = replica')
  for (const [seq, hours_ago] of [30, 29, 20, 17].entries())
    await root.query(
      `update ticket_messages set created_at = now() - make_interval(hours => $3)
       from tickets t where t.id = ticket_id and t.public_id = $1 and kind = 'comment'
         and $2::int + 1 = (select count(*) from ticket_messages m
           where m.ticket_id = t.id and m.kind = 'comment' and m.seq <= ticket_messages.seq)`,
      [chatId, seq, hours_ago],
    )
  await root.query(`update tickets set created_at = now() - interval '30 hours',
    first_reply_at = now() - interval '29 hours'`)
  await root.end()
  const rest = { seq: 3, subject: 'The rest', client_id: randomUUID() }
  bodyOf(await member.api.call(splitTicket, { params, body: rest }), 201)
  const report = bodyOf(await member.api.call(contract.readSupportReport, { query: { weeks: '4' } }), 200)
  // An hour in the old ticket and three in the new one.
  expect(report.topics).toMatchObject([{ topic: 'technical', opened: 2, first_answer_s: 7200 }])
  expect(report.people).toMatchObject([{ first_answer_s: 7200 }])
  for (const { first_answer_s } of report.weeks) expect(first_answer_s ?? 0).toBeGreaterThanOrEqual(0)
})
