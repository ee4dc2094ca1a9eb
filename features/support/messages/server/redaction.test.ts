import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { listTickets } from '#features/support/tickets/contract.ts'
import * as contract from '#features/support/messages/contract.ts'
import { listStaffTickets } from '#features/support/desk/contract.ts'
import { removeLeftovers } from '#features/support/files/server/sweeping.ts'
import { becomeReader, OPERATOR } from '#foundation/server/account-events/account-events.ts'
import { must } from '#foundation/must.ts'
import { eventsOf } from '#tests/harness/account-events.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { placesOf } from '#tests/harness/every-trace.ts'
import { helperOf } from '#tests/harness/grants.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, opened, say } from '#tests/harness/tickets.ts'
import { download, upload } from '#tests/harness/upload.ts'
import { mailDueReplies } from './mails.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const root = await superuserOf(test)
afterAll(() => root.end())
const [anna, olivia] = [await signedInCustomer(test), await signedInStaff(test)]

const redact = (who: Customer, chatId: string, seq: number, body: { attachment_id?: string } = {}) =>
  who.api.call(contract.redactMessage, { params: { chatId, seq: String(seq) }, body })

const note = (who: Customer, chatId: string, text: string) =>
  who.api.call(contract.postNote, { params: { chatId }, body: { client_id: randomUUID(), text } })

const audited = async (chatId: string) =>
  app.db
    .selectFrom('audit')
    .select(['detail', 'act'])
    .where('act', '=', 'ticket.redacted')
    .execute()
    .then((rows) => rows.filter(({ detail }) => JSON.stringify(detail).includes(chatId)))

it('authors remove their own messages and staff any; number, time and the name of who did it stay', async () => {
  const { id } = await opened(anna)
  await say(anna, id, 'My card is 4111 1111 1111 1111.')
  await say(olivia, id, 'Please never send that.')
  const before = (await messagesOf(olivia, id)) as { items: { created_at: string }[] }
  expect((await redact(anna, id, 3)).body).toEqual(refusal(403, 'not_your_message'))
  const gone = bodyOf(await redact(olivia, id, 2), 200)
  expect(gone).toMatchObject({
    seq: 2,
    kind: 'comment',
    text: '',
    created_at: must(before.items[1]).created_at,
    redacted: { by_staff: true, text: true, files: 0 },
  })
  expect(bodyOf(await redact(olivia, id, 2), 200)).toEqual(gone)
  expect((await redact(anna, id, 1)).status).toBe(200)
  // Customers never see the address of a member of staff.
  expect(JSON.stringify(await messagesOf(anna, id))).not.toContain(olivia.email)
  expect((await audited(id)).map(({ detail }) => detail)).toEqual([
    { by: olivia.user_id, chat_id: id },
    { by: anna.user_id, chat_id: id },
  ])
})

it('no stranger, no other helper and no customer of a note removes anything; a hold of the operator keeps it', async () => {
  const { id } = await opened(anna)
  await note(olivia, id, 'Card number in the first message.')
  const stranger = await signedInCustomer(test)
  const helping = await helperOf(test, anna, {})
  expect((await redact(stranger, id, 1)).status).toBe(404)
  expect((await redact(helping, id, 1)).body).toEqual(refusal(403, 'not_your_message'))
  expect((await redact(anna, id, 2)).status).toBe(404)
  await root.query(
    `insert into audit_holds (first_day, last_day, starts_at, ends_at, reason)
     values (current_date, current_date, now() - interval '1 hour', now() + interval '1 hour', 'court')`,
  )
  expect((await redact(anna, id, 1)).body).toEqual(refusal(409, 'cannot_be_removed'))
  await root.query('update audit_holds set ended_at = now()')
  expect((await redact(anna, id, 1)).status).toBe(200)
  expect((await redact(olivia, id, 2)).status).toBe(200)
})

it('one file goes, with its bytes, and the rest of the message stays', async () => {
  const { id } = await opened(anna)
  const [kept, wrong] = [await upload(anna.api, 'kept words'), await upload(anna.api, 'wrong words')]
  const ids = [kept.body.id, wrong.body.id]
  const written = { client_id: randomUUID(), text: 'Two files.', attachment_ids: ids }
  await anna.api.call(contract.postMessage, { params: { chatId: id }, body: written })
  expect(await placesOf(test, 'wrong words')).toEqual(['files', 'backup'])
  expect((await redact(anna, id, 2, { attachment_id: 'x'.repeat(22) })).status).toBe(404)
  expect(bodyOf(await redact(anna, id, 2, { attachment_id: wrong.body.id }), 200)).toMatchObject({
    text: 'Two files.',
    attachments: [{ id: kept.body.id }],
    redacted: { text: false, files: 1, by: anna.email },
  })
  expect((await download(olivia.api, wrong.body.id)).status).toBe(404)
  expect((await download(olivia.api, kept.body.id)).status).toBe(200)
  await removeLeftovers(app)
  expect(await placesOf(test, 'wrong words')).toEqual([])
})

it('what was removed is in no row, mail, event, answer of a webhook, search, file, log or backup of the next day', async () => {
  await test.startWorker()
  await becomeReader(app, anna.user_id)
  await becomeReader(app, OPERATOR)
  const { id } = await opened(anna, { message: 'Since the zebra-quilt-77 morning.' })
  await say(olivia, id, 'The zebra-quilt-77 key is in the drawer.')
  await root.query(`update ticket_mails set due_at = now() where due_at is not null`)
  await mailDueReplies(app)
  await test.mails.next(anna.email)
  expect(await placesOf(test, 'zebra-quilt-77')).toEqual(['rows', 'mails', 'backup'])
  expect(JSON.stringify(await eventsOf(test, OPERATOR))).toContain('zebra-quilt-77')
  const [event] = await app.db
    .selectFrom('account_events')
    .select('seq')
    .where('user_id', '=', anna.user_id)
    .where('type', '=', 'ticket.message_created')
    .execute()
  const endpoint = await root.query<{ id: string }>(
    `insert into webhook_endpoints (user_id, url, secret_sealed) values ($1, 'https://a.example/', 'x') returning id`,
    [anna.user_id],
  )
  await root.query(
    `insert into webhook_attempts (endpoint_id, slot, user_id, number, seq, event_id, type, url, took_ms, signature, status, answer)
     values ($1, 1, $2, 1, $3, 'e', 't', 'u', 1, 's', 200, 'got zebra-quilt-77')`,
    [must(endpoint.rows[0]).id, anna.user_id, String(must(event).seq)],
  )
  expect((await redact(olivia, id, 2)).status).toBe(200)
  expect((await redact(anna, id, 1)).status).toBe(200)
  await expect.poll(() => placesOf(test, 'zebra-quilt-77'), { timeout: 20_000, interval: 500 }).toEqual([])
  const events = await eventsOf(test, anna.user_id)
  expect(events.filter(({ type }) => type === 'ticket.message_created')).toMatchObject([
    { data: { message: { text: '', redacted: { text: true } } } },
    { data: { message: { text: '', redacted: { text: true } } } },
  ])
  const search = { query: { q: 'zebra-quilt-77' } }
  expect(bodyOf(await anna.api.call(listTickets, search), 200).items).toEqual([])
  expect(bodyOf(await olivia.api.call(listStaffTickets, search), 200).items).toEqual([])
})

it('a mail that waits is not sent with it, and the other replies are mailed again', async () => {
  await test.startWorker()
  const { id } = await opened(anna)
  await say(olivia, id, 'The first reply stays.')
  await say(olivia, id, 'The second had velvet-ladder-9 in it.')
  // No server takes mails meanwhile.
  test.mails.refuseWith(451)
  await root.query(`update ticket_mails set due_at = now() where due_at is not null`)
  await mailDueReplies(app)
  expect(await placesOf(test, 'velvet-ladder-9')).toContain('mails')
  await redact(olivia, id, 3)
  await expect.poll(() => placesOf(test, 'velvet-ladder-9'), { timeout: 20_000, interval: 500 }).toEqual([])
  await expect
    .poll(() => placesOf(test, 'The first reply stays.'), { timeout: 20_000, interval: 500 })
    .toContain('mails')
  test.mails.refuseWith(undefined)
})
