import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/support/tickets/contract.ts'
import { changeTicket } from '#features/support/desk/contract.ts'
import { openSecret, postMessage, postSecret, markRead } from '#features/support/messages/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { must } from '#foundation/must.ts'
import { jobs } from './auto-close.ts'
import { giveTickets } from './give-queries.ts'
import { whereLands } from './merged.ts'
import { lockTicket } from './queries.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, opened, say, split as splitBy, staffTicket } from '#tests/harness/tickets.ts'
import { download, upload } from '#tests/harness/upload.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const root = await superuserOf(test)
afterAll(() => root.end())
const [anna, olivia] = [await signedInCustomer(test), await signedInStaff(test)]

type Ticket = contract.Ticket
type Said = {
  items: { seq: number; kind: string; text: string; created_at: string; event?: { code: string } }[]
}

const merge = (chatId: string, number: number, who: Customer = olivia) =>
  who.api.call(contract.mergeTicket, { params: { chatId }, body: { number } })
const undo = (chatId: string, who: Customer = olivia) =>
  who.api.call(contract.undoTicketMerge, { params: { chatId } })
const split = (chatId: string, seq: number, client_id?: string) => splitBy(olivia, chatId, seq, client_id)
const two = async () => [await opened(anna), await opened(anna)] as const
const seen = (who: Customer, id: string) => staffTicket(who, id)
const saidIn = async (who: Customer, id: string) => ((await messagesOf(who, id)) as Said).items
const codes = async (who: Customer, id: string) =>
  (await saidIn(who, id)).map(({ event, text }) => event?.code ?? text)
/** Runs the job that closes a ticket which has waited for its customer, as so many days later. */
async function closeAfterDays(chatId: string, days: number): Promise<void> {
  const { rows } = await root.query<{ id: string }>(
    `update tickets set pending_since = pending_since - make_interval(days => $2) where public_id = $1 returning id`,
    [chatId, days],
  )
  const job = must(jobs.find(({ name }) => name === 'close_silent_ticket'))
  await job.run(test.app, { ticket_id: must(rows[0]).id }, 'test')
}

/** Lets a ticket wait for its customer since so many days; with `isWarned`, they were warned of it. */
const waitSince = (chatId: string, days: number, isWarned = false) =>
  root.query(
    `update tickets set pending_since = pending_since - make_interval(days => $2),
       warned_of = case when $3 then pending_since - make_interval(days => $2) end where public_id = $1`,
    [chatId, days, isWarned],
  )
const keysOf = `select unnest(array['ticket-warning:' || id, 'ticket-closing:' || id]) from tickets where public_id = $1`
/** Takes the jobs away, as they go that have run. */
const forgetJobs = (chatId: string) => root.query(`delete from jobs where key in (${keysOf})`, [chatId])
/** The days of the wait after which warning and closing are planned. */
async function planned(chatId: string): Promise<Record<string, number>> {
  const { rows } = await root.query<{ name: string; days: number }>(
    `select substring(key from 'ticket-([a-z]+)') as name, round(extract(epoch from run_at - pending_since) / 86400)::int as days
     from jobs, tickets where public_id = $1 and key in (${keysOf})`,
    [chatId],
  )
  return Object.fromEntries(rows.map(({ name, days }) => [name, days]))
}

it('a merged ticket closes and points to the other, which is staff’s turn; both say it to both sides', async () => {
  const [a, b] = await two()
  await say(olivia, b.id, 'Answered.')
  const merged = bodyOf(await merge(a.id, b.number), 200)
  expect(merged).toMatchObject({
    number: a.number,
    status: 'closed',
    merged_into: { id: b.id, number: b.number },
  })
  expect(await seen(anna, b.id)).toMatchObject({
    number: b.number,
    status: 'in-progress',
    merged: [{ id: a.id, number: a.number }],
  })
  expect(await codes(anna, a.id)).toEqual(['Since this morning.', 'merged'])
  expect((await codes(anna, b.id)).at(-1)).toBe('merged_from')
  // It opens again by nothing but the undoing.
  expect((await anna.api.call(contract.reopenTicket, { params: { chatId: a.id } })).status).toBe(409)
})

it('what the customer writes in a merged ticket lands in the one that goes on, at the end of a chain, once', async () => {
  const [a, b] = await two()
  const c = await opened(anna)
  const client_id = randomUUID()
  const first = await say(anna, a.id, 'Said before.', client_id)
  bodyOf(await merge(a.id, b.number), 200)
  bodyOf(await merge(b.id, c.number), 200)
  expect((await say(anna, a.id, 'Said before.', client_id)).body).toEqual(first.body)
  const file = await upload(anna.api, 'words', 'a.txt')
  const body = { client_id: randomUUID(), text: 'And one more thing.', attachment_ids: [file.body.id] }
  expect((await anna.api.call(postMessage, { params: { chatId: a.id }, body })).status).toBe(201)
  expect((await anna.api.call(postMessage, { params: { chatId: a.id }, body })).status).toBe(200)
  expect((await codes(anna, c.id)).filter((code) => code === 'And one more thing.')).toHaveLength(1)
  expect(await codes(anna, a.id)).not.toContain('And one more thing.')
  expect((await seen(anna, a.id)).status).toBe('closed')
  expect((await say(olivia, a.id, 'Staff write in the other one.')).status).toBe(409)
})

it('a helper whose grant does not open the other ticket writes in neither, and a ticket given away is no target', async () => {
  const a = await opened(anna)
  const b = await opened(anna, { topic: 'finances' })
  const helping = await helperOf(test, anna, { role: 'technical' })
  bodyOf(await merge(a.id, b.number), 200)
  expect((await say(helping, a.id, 'About the machine.')).body).toEqual(refusal(409, 'ticket_closed'))
  const other = await signedInCustomer(test)
  const { rows } = await root.query<{ id: string }>('select id from tickets where public_id = $1', [b.id])
  const ids = rows.map(({ id }) => BigInt(id))
  await transaction(test.app, 'system', (tx) =>
    giveTickets(tx, { from: anna.user_id, to: other.user_id, ids }),
  )
  expect((await say(anna, a.id, 'Is anybody there?')).body).toEqual(refusal(409, 'ticket_closed'))
  // The database hides the other ticket from the customer; work of the system has no such wall.
  await transaction(test.app, 'system', async (tx) => {
    const row = must(await lockTicket(tx, a.id, { user_id: anna.user_id, any: false }))
    expect(await whereLands(test.app, tx, row)).toBe(row)
  })
  expect((await seen(anna, a.id)).merged_into).toBeUndefined()
  expect((await seen(other, b.id)).merged).toBeUndefined()
})

it('undoing within seven days restores both; what landed stays where it is, and what changed since stays', async () => {
  const [a, b] = await two()
  await olivia.api.send('PUT', `/api/staff/tickets/${a.id}/assignee/`, {}, {})
  await say(olivia, b.id, 'Answered.')
  const before = [await seen(olivia, a.id), await seen(olivia, b.id)] as const
  bodyOf(await merge(a.id, b.number), 200)
  bodyOf(await undo(a.id), 200)
  const state = ({ number, status, assignee, waiting_since, closed_at, merged_into, merged }: Ticket) => ({
    number,
    status,
    assignee,
    waiting_since,
    closed_at,
    merged_into,
    merged,
  })
  expect([await seen(olivia, a.id), await seen(olivia, b.id)].map(state)).toEqual(before.map(state))
  expect((await undo(a.id)).body).toEqual(refusal(409, 'not_merged'))
  bodyOf(await merge(a.id, b.number), 200)
  await say(anna, a.id, 'Landed.')
  await say(olivia, b.id, 'Answered again.')
  bodyOf(await undo(a.id), 200)
  expect(await seen(olivia, b.id)).toMatchObject({ status: 'pending' })
  expect(await codes(anna, b.id)).toContain('Landed.')
  bodyOf(await merge(a.id, b.number), 200)
  await root.query(`update ticket_merges set merged_at = now() - interval '8 days'`)
  expect((await undo(a.id)).body).toEqual(refusal(409, 'merge_is_final'))
})

it('undoing a merge hides no message that the customer has written since in the ticket that went on', async () => {
  const [a, b] = await two()
  await say(olivia, b.id, 'Answered.')
  bodyOf(await merge(a.id, b.number), 200)
  await say(anna, b.id, 'That did not help.')
  const { waiting_since } = await seen(olivia, b.id)
  bodyOf(await undo(a.id), 200)
  expect(await seen(olivia, b.id)).toMatchObject({ status: 'in-progress', waiting_since })
  await closeAfterDays(b.id, 8)
  expect(await seen(olivia, b.id)).toMatchObject({ status: 'in-progress' })
})

it('a ticket whose customer waits wakes the one that it is merged into; undoing lets both sleep again', async () => {
  const [a, b] = await two()
  await say(olivia, b.id, 'Answered.')
  const putToSleep = (chatId: string, snooze: { hours?: number }) =>
    olivia.api.call(changeTicket, { params: { chatId }, body: { snooze } })
  bodyOf(await putToSleep(b.id, {}), 200)
  bodyOf(await putToSleep(a.id, { hours: 4 }), 200)
  const slept = [(await seen(olivia, a.id)).snoozed, (await seen(olivia, b.id)).snoozed]
  expect(slept).toMatchObject([{ until: expect.any(String) as string }, { until: null }])
  bodyOf(await merge(a.id, b.number), 200)
  expect(await seen(olivia, b.id)).toMatchObject({ status: 'in-progress', snoozed: null })
  bodyOf(await undo(a.id), 200)
  expect([(await seen(olivia, a.id)).snoozed, (await seen(olivia, b.id)).snoozed]).toEqual(slept)
  // Merges that an older release made know nothing of sleep.
  bodyOf(await merge(a.id, b.number), 200)
  await root.query(`update ticket_merges set before = before - 'snoozed_at' - 'snoozed_until'`)
  bodyOf(await undo(a.id), 200)
  expect(await seen(olivia, a.id)).toMatchObject({ status: 'opened', snoozed: null })
})

// Seen red: the ticket that went on had no job any more, and was never closed.
it('a ticket that waits again since before, because a merge was undone, is warned and closed by that time', async () => {
  const [a, b] = await two()
  await say(olivia, b.id, 'Answered.')
  await waitSince(b.id, 5)
  bodyOf(await merge(a.id, b.number), 200)
  await forgetJobs(b.id)
  bodyOf(await undo(a.id), 200)
  expect(await planned(b.id)).toEqual({ warning: 6, closing: 7 })
  expect(await planned(a.id), 'staff have not answered it').toEqual({})
  await closeAfterDays(b.id, 2)
  expect(await seen(olivia, b.id)).toMatchObject({ status: 'closed' })
  // The one that was merged counts on, too, and not anew. A day stays between a warning that comes late and the closing.
  for (const [waited, warned, plan] of [
    [3, false, { warning: 6, closing: 7 }],
    [9, false, { warning: 9, closing: 10 }],
    [9, true, { warning: 9, closing: 9 }],
  ] as const) {
    const [gone, on] = await two()
    await say(olivia, gone.id, 'Answered.')
    await waitSince(gone.id, waited, warned)
    bodyOf(await merge(gone.id, on.number), 200)
    await forgetJobs(gone.id)
    bodyOf(await undo(gone.id), 200)
    expect(await planned(gone.id)).toEqual(plan)
  }
})

it('only open tickets of one customer are merged, by staff who are not that customer, and of two merges at once one stands', async () => {
  const [a, b] = await two()
  const foreign = await opened(await signedInCustomer(test))
  expect((await merge(a.id, foreign.number)).body).toEqual(refusal(400, 'other_customer', 'number'))
  expect((await merge(a.id, a.number)).body).toEqual(refusal(400, 'no_such_ticket', 'number'))
  expect((await merge(a.id, 999_999)).body).toEqual(refusal(400, 'no_such_ticket', 'number'))
  expect([401, 403]).toContain((await merge(a.id, b.number, anna)).status)
  const own = [await opened(olivia), await opened(olivia)] as const
  expect((await merge(own[0].id, own[1].number)).body).toEqual(refusal(409, 'own_ticket'))
  const [gone, on, third] = [...(await two()), await opened(anna)] as const
  bodyOf(await merge(gone.id, on.number), 200)
  for (const [one, other] of [
    [gone, third],
    [third, gone],
  ] as const)
    expect((await merge(one.id, other.number)).body).toEqual(refusal(409, 'already_merged'))
  const crossed = await Promise.all([merge(a.id, b.number), merge(b.id, a.number)])
  expect(crossed.map(({ status }): number => status).toSorted((one, other) => one - other)).toEqual([
    200, 409,
  ])
  const closed = await opened(anna)
  await anna.api.call(contract.closeTicket, { params: { chatId: closed.id } })
  const last = await opened(anna)
  expect((await merge(last.id, closed.number)).body).toEqual(refusal(409, 'ticket_closed'))
})

it('the rest of a conversation moves to a new ticket with files, secrets and marks; no number is missing on either side', async () => {
  const a = await opened(anna)
  await say(olivia, a.id, 'First answer.')
  const file = await upload(anna.api, 'moved words', 'a.txt')
  const body = { client_id: randomUUID(), text: 'Second thing.', attachment_ids: [file.body.id] }
  await anna.api.call(postMessage, { params: { chatId: a.id }, body })
  await olivia.api.send(
    'POST',
    `/api/staff/tickets/${a.id}/notes/`,
    { client_id: randomUUID(), text: 'Odd.' },
    {},
  )
  const secret = { client_id: randomUUID(), text: '', secret: 'wooden-lantern-4711' }
  await anna.api.call(postSecret, { params: { chatId: a.id }, body: secret })
  await anna.api.call(markRead, { params: { chatId: a.id }, body: { seq: 4 } })
  const before = await saidIn(olivia, a.id)
  const client_id = randomUUID()
  const made = bodyOf(await split(a.id, 3, client_id), 201)
  expect((await split(a.id, 3, client_id)).status).toBe(200)
  const [staffOld, staffNew] = [await saidIn(olivia, a.id), await saidIn(olivia, made.id)]
  expect(staffOld.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  expect(staffOld.map(({ text, event }) => event?.code ?? text)).toEqual([
    'Since this morning.',
    'First answer.',
    'moved',
    '',
    'moved',
    'split_off',
  ])
  expect(staffNew.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(staffNew.map(({ created_at }) => created_at).slice(0, 3)).toEqual(
    before.slice(2).map(({ created_at }) => created_at),
  )
  expect((await saidIn(anna, made.id)).map(({ text, seq }) => [seq, text])).toEqual([
    [1, 'Second thing.'],
    [2, ''],
    [3, ''],
  ])
  expect(await seen(anna, made.id)).toMatchObject({
    subject: 'Second thing',
    unread: 0,
    status: 'in-progress',
  })
  expect((await download(olivia.api, file.body.id)).bytes.toString()).toBe('moved words')
  // The message that is sent again finds its old place.
  expect(
    (await anna.api.call(postMessage, { params: { chatId: a.id }, body: { ...body, attachment_ids: [] } }))
      .status,
  ).toBe(200)
  // The end of the former ticket wipes the secrets that stayed in it alone.
  bodyOf(await olivia.api.call(contract.closeTicket, { params: { chatId: a.id } }), 200)
  expect(bodyOf(await olivia.api.call(openSecret, { params: { chatId: made.id, seq: '3' } }), 200)).toEqual({
    secret: 'wooden-lantern-4711',
  })
})

it('after a split it is the turn in the old ticket that its remaining comments tell, and a closed one stays closed', async () => {
  const talk = async (...lines: [Customer, string][]) => {
    const ticket = await opened(anna)
    for (const [who, text] of lines) await say(who, ticket.id, text)
    return ticket.id
  }
  const timeOf = async (id: string, text: string) =>
    must((await saidIn(olivia, id)).find((one) => one.text === text)).created_at
  // The question that was left went away: the customer has the last answer, and a week from now on.
  const answered = await talk([olivia, 'Answer.'], [anna, 'Second thing.'])
  bodyOf(await split(answered, 3), 201)
  expect(await seen(olivia, answered)).toMatchObject({ status: 'pending', waiting_since: null, due_at: null })
  await closeAfterDays(answered, 6)
  expect(await seen(olivia, answered)).toMatchObject({ status: 'pending' })
  await closeAfterDays(answered, 1)
  expect(await seen(olivia, answered)).toMatchObject({ status: 'closed' })
  // The answer went away with the question that it answered: the first question still waits, and does not close itself.
  const waiting = await talk([anna, 'Second thing.'], [olivia, 'Answer.'])
  const made = bodyOf(await split(waiting, 2), 201)
  const first = await timeOf(waiting, 'Since this morning.')
  expect(await seen(olivia, waiting)).toMatchObject({
    status: 'in-progress',
    waiting_since: first,
    first_reply_at: null,
  })
  expect(await seen(olivia, made.id)).toMatchObject({ status: 'pending', waiting_since: null })
  await closeAfterDays(waiting, 8)
  expect(await seen(olivia, waiting)).toMatchObject({ status: 'in-progress' })
  // The wait counts from the first question without an answer, in both tickets.
  const long = await talk([anna, 'More.'], [anna, 'Second thing.'], [anna, 'More of it.'])
  const rest = bodyOf(await split(long, 3), 201)
  expect(await seen(olivia, long)).toMatchObject({
    status: 'opened',
    waiting_since: await timeOf(long, 'Since this morning.'),
  })
  expect(await seen(olivia, rest.id)).toMatchObject({
    waiting_since: await timeOf(rest.id, 'Second thing.'),
  })
  const closed = await talk([olivia, 'Answer.'], [anna, 'Second thing.'])
  bodyOf(await olivia.api.call(contract.closeTicket, { params: { chatId: closed } }), 200)
  const before = await seen(olivia, closed)
  bodyOf(await split(closed, 3), 201)
  const { status, closed_at } = before
  expect(await seen(olivia, closed)).toMatchObject({ status, closed_at, waiting_since: null })
})

it('a ticket that waits for the answer to one that was merged into it does so after a split, too', async () => {
  const [a, b] = await two()
  await say(olivia, b.id, 'Answered.')
  bodyOf(await merge(a.id, b.number), 200)
  const { waiting_since } = await seen(olivia, b.id)
  await say(anna, b.id, 'Second thing.')
  bodyOf(await split(b.id, 4), 201)
  expect(await seen(olivia, b.id)).toMatchObject({ status: 'in-progress', waiting_since })
  await say(olivia, b.id, 'Answer to both.')
  await say(anna, b.id, 'Third thing.')
  bodyOf(await split(b.id, 7), 201)
  expect(await seen(olivia, b.id)).toMatchObject({ status: 'pending', waiting_since: null })
})

it('the first comment, a note, an event line and an unknown number are no place to split at', async () => {
  const a = await opened(anna)
  await say(anna, a.id, 'More.')
  await olivia.api.send(
    'POST',
    `/api/staff/tickets/${a.id}/notes/`,
    { client_id: randomUUID(), text: 'Odd.' },
    {},
  )
  expect((await split(a.id, 1)).body).toEqual(refusal(400, 'first_stays', 'seq'))
  expect((await split(a.id, 3)).body).toEqual(refusal(400, 'unknown_message', 'seq'))
  expect((await split(a.id, 99)).body).toEqual(refusal(400, 'unknown_message', 'seq'))
  const own = await opened(olivia)
  await say(olivia, own.id, 'More.')
  expect((await split(own.id, 2)).body).toEqual(refusal(409, 'own_ticket'))
  expect(await saidIn(olivia, a.id)).toHaveLength(3)
})

it('the database refuses any change of a message but taking away', async () => {
  const a = await opened(anna)
  const change = (what: string) =>
    root.query(
      `update ticket_messages set ${what} where ticket_id = (select id from tickets where public_id = $1)`,
      [a.id],
    )
  for (const what of [
    `text = 'other words'`,
    `text = ''`,
    `redacted = '{}', text = 'other words'`,
    `seq = 9, redacted = '{}'`,
    `author_id = null, redacted = '{}'`,
    `redacted = '{}', attachments = '[{}]'`,
    `kind = 'event', event = '{}'`,
    `created_at = now(), moved = '{}'`,
  ])
    await expect(change(what), what).rejects.toThrow('append-only')
})
