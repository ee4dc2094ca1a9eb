import * as contract from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import * as profile from '#features/profile/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { upload } from '#tests/harness/upload.ts'
import { mailDueReplies } from './mails.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
// Only the schema's owner may read the queue.
const owner = new pg.Pool({ connectionString: app.ownerUrl, max: 4 })
afterAll(() => owner.end())

const olivia = await signedInStaff(test, { locale: 'de' })

const opened = async ({ api }: Customer, message = 'Since this morning.') => {
  const body = { subject: 'No connection', message, topic: 'technical' as const }
  const reply = await api.call(tickets.createTicket, { body })
  expect(reply.status).toBe(201)
  return reply.body
}

const say = ({ api }: Customer, chatId: string, text: string, attachment_ids: string[] = []) =>
  api.call(contract.postMessage, {
    params: { chatId },
    body: { client_id: randomUUID(), text, attachment_ids },
  })

const idOf = async (chatId: string): Promise<string> => {
  const { rows } = await owner.query<{ id: string }>('select id from tickets where public_id = $1', [chatId])
  return must(rows[0]).id
}

/** Returns the seconds until the mail of a ticket is due; undefined if no mail is due. */
async function dueIn(chatId: string): Promise<number | undefined> {
  const { rows } = await owner.query<{ in_s: string }>(
    `select extract(epoch from due_at - now()) as in_s from ticket_mails
     where ticket_id = $1 and due_at is not null`,
    [await idOf(chatId)],
  )
  return rows[0] && Number(rows[0].in_s)
}

/** Lets time pass for the mails of a ticket, and sends the mails that are due then. */
const later = async (chatId: string, seconds: number) => {
  const ticket_id = await idOf(chatId)
  await shift(
    `update ticket_mails set first_unmailed_at = first_unmailed_at - $1::interval, due_at = due_at - $1::interval,
       last_mailed_at = last_mailed_at - $1::interval where ticket_id = $2`,
    [`${seconds} seconds`, ticket_id],
  )
  await mailDueReplies(app)
  // The app's own worker may have taken the mail before: its transaction holds the row until the mail is queued.
  await shift('select from ticket_mails where ticket_id = $1 for update', [ticket_id])
}

/** Runs a statement as the schema's owner, to which row-level security applies all the same. */
async function shift(statement: string, values: unknown[]): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query(`begin; select set_config('app.actor', 'system', true)`)
    await client.query(statement, values)
    await client.query('commit')
  } finally {
    client.release()
  }
}

const twoMinutesLater = (chatId: string) => later(chatId, 120)

const queuedMails = async (kind: string, to?: string) => {
  let query = app.db.selectFrom('mails').select(['id', 'to_address', 'locale']).where('letter', '=', kind)
  if (to) query = query.where('to_address', '=', to)
  return query.execute()
}

describe('a reply of the support that its customer has not seen', () => {
  it('is mailed after two quiet minutes, once, with its text and no secrets', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const file = (await upload(olivia.api, 'words', 'guide.txt')).body.id
    await say(olivia, ticket.id, 'Your new password is `hunter2-hunter2`, **really**.', [file])
    const in_s = await dueIn(ticket.id)
    expect(in_s).toBeGreaterThan(110)
    expect(in_s).toBeLessThanOrEqual(120)
    await mailDueReplies(app)
    expect(await queuedMails('ticket_reply', customer.email)).toEqual([])
    await twoMinutesLater(ticket.id)
    await twoMinutesLater(ticket.id)
    expect(await queuedMails('ticket_reply', customer.email)).toHaveLength(1)
    const mail = await test.mails.next(customer.email)
    expect(mail.subject).toContain('No connection')
    expect(mail.text).toContain('> Your new password is […], really.')
    expect(mail.raw).not.toContain('hunter2')
    expect(mail.text).toContain(`http://localhost:3000/account/tickets/${ticket.id}`)
    expect(mail.text).toContain('1')
  })

  it('is not mailed when it was read meanwhile, or read and answered', async () => {
    const [reader, writer] = [await signedInCustomer(test), await signedInCustomer(test)]
    const [one, other] = [await opened(reader), await opened(writer)]
    for (const { id } of [one, other]) await say(olivia, id, 'Please try again.')
    await reader.api.call(contract.markRead, { params: { chatId: one.id }, body: { seq: 2 } })
    expect(await dueIn(one.id)).toBeUndefined()
    await writer.api.call(contract.markRead, { params: { chatId: other.id }, body: { seq: 2 } })
    await say(writer, other.id, 'It works.')
    for (const { id } of [one, other]) await twoMinutesLater(id)
    expect(await queuedMails('ticket_reply', reader.email)).toEqual([])
    expect(await queuedMails('ticket_reply', writer.email)).toEqual([])
  })

  // Tests the lock on the ticket's row in `ticket_mails`: without it several processes would mail the same replies.
  it('goes with its neighbours in one mail; replies after that mail are mailed again', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    for (const text of ['One.', 'Two.', 'Three.']) await say(olivia, ticket.id, text)
    await later(ticket.id, 119)
    expect(await queuedMails('ticket_reply', customer.email)).toEqual([])
    await later(ticket.id, 1)
    await Promise.all([1, 2, 3].map(() => mailDueReplies(app)))
    expect(await queuedMails('ticket_reply', customer.email)).toHaveLength(1)
    const mail = await test.mails.next(customer.email)
    expect(mail.text).toMatch(/> One\.\s[^>]+> Two\.\s[^>]+> Three\./)
    await say(olivia, ticket.id, 'Four.')
    await twoMinutesLater(ticket.id)
    expect(await queuedMails('ticket_reply', customer.email)).toHaveLength(1)
    await later(ticket.id, 780)
    expect((await test.mails.next(customer.email)).text).not.toContain('Three.')
  })

  it('goes at the latest ten minutes after the first, and fifteen after the last unread mail', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const mailed: number[] = []
    for (let minute = 0; minute <= 41; minute += 1) {
      if (minute < 30) await say(olivia, ticket.id, `Minute ${minute}.`)
      await later(ticket.id, 60)
      const count = (await queuedMails('ticket_reply', customer.email)).length
      if (count > mailed.length) mailed.push(minute + 1)
    }
    expect(mailed).toEqual([10, 25, 40])
    const texts = [1, 2, 3].map(async () => (await test.mails.next(customer.email)).text)
    const all = (await Promise.all(texts)).join('').match(/> Minute \d+\./g)
    expect(all?.toSorted()).toEqual(
      Array.from({ length: 30 }, (_, minute) => `> Minute ${minute}.`).toSorted(),
    )
  })

  it('need not keep apart from a mail that was read', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    await say(olivia, ticket.id, 'One.')
    await twoMinutesLater(ticket.id)
    await customer.api.call(contract.markRead, { params: { chatId: ticket.id }, body: { seq: 2 } })
    await say(olivia, ticket.id, 'Two.')
    await twoMinutesLater(ticket.id)
    expect(await queuedMails('ticket_reply', customer.email)).toHaveLength(2)
  })

  it('greets by name, gives times in the customer’s time zone, and calls nameless staff by the operator', async () => {
    const customer = await signedInCustomer(test)
    const body = { name: 'Anna', time_zone: 'Asia/Kolkata' }
    expect((await customer.api.call(profile.updateProfile, { body })).status).toBe(200)
    const ticket = await opened(customer)
    await say(olivia, ticket.id, 'Long. '.repeat(800))
    await twoMinutesLater(ticket.id)
    const { text = '', raw } = await test.mails.next(customer.email)
    expect(text).toMatch(/^Hello Anna,\n/)
    expect(text).toMatch(/Hostdesk, \d+ \w+ 20\d\d, \d\d:\d\d GMT\+5:30:\n> Long\. Long\./)
    expect(text).toContain(' …\n')
    expect(text.length).toBeLessThan(5000)
    expect(raw).not.toContain(olivia.email)
  })

  it('a note is never mailed, even among replies', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const params = { chatId: ticket.id }
    const body = { client_id: randomUUID(), text: 'a secret among us' }
    expect((await olivia.api.call(contract.postNote, { params, body })).status).toBe(201)
    expect(await dueIn(ticket.id)).toBeUndefined()
    await twoMinutesLater(ticket.id)
    expect(await queuedMails('ticket_reply', customer.email)).toEqual([])
    await say(olivia, ticket.id, 'Hello.')
    await twoMinutesLater(ticket.id)
    expect((await test.mails.next(customer.email)).raw).not.toContain('a secret among us')
  })

  it('is not mailed to customers who switched that off, nor to deleted ones', async () => {
    const [quiet, gone] = [await signedInCustomer(test), await signedInCustomer(test)]
    await quiet.api.call(profile.changeMailPreferences, { body: { ticket_replies: false } })
    const [one, other] = [await opened(quiet), await opened(gone)]
    for (const { id } of [one, other]) await say(olivia, id, 'Hello.')
    expect((await gone.api.call(profile.deactivate, { body: {} })).status).toBe(204)
    await twoMinutesLater(one.id)
    await mailDueReplies(app)
    expect(await dueIn(one.id)).toBeUndefined()
    expect(await queuedMails('ticket_reply', quiet.email)).toEqual([])
    expect(await queuedMails('ticket_reply', gone.email)).toEqual([])
  })
})
