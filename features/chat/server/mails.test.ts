import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import * as profile from '#features/profile/contract.ts'
import * as tickets from '#features/tickets/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { upload } from '#tests/harness/upload.ts'
import { mailJobs } from './mails.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
// The queue is the schema's owner's alone.
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
  api.call(tickets.postMessage, {
    params: { chatId },
    body: { client_id: randomUUID(), text, attachment_ids },
  })

const idOf = async (chatId: string): Promise<string> => {
  const { rows } = await owner.query<{ id: string }>('select id from tickets where public_id = $1', [chatId])
  return rows[0]!.id
}

/** What the queue holds for a ticket: how many looks, and in how many seconds. */
async function planned(chatId: string): Promise<number[]> {
  const { rows } = await owner.query<{ in_s: string }>(
    `select extract(epoch from j.run_at - now()) as in_s from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'mail_unread_reply' and j.payload ->> 'ticket_id' = $1`,
    [await idOf(chatId)],
  )
  return rows.map(({ in_s }) => Number(in_s))
}

/** Does what the job does when its time has come. */
const twoMinutesLater = async (chatId: string) => {
  const ticket_id = await idOf(chatId)
  await mailJobs[0]!.run(app, { ticket_id }, 'test')
}

const owed = async (kind: string, to?: string) => {
  let query = app.db.selectFrom('mails').select(['id', 'to_address', 'locale']).where('letter', '=', kind)
  if (to) query = query.where('to_address', '=', to)
  return query.execute()
}

describe('a reply of the support that its customer has not seen', () => {
  it('is looked at again after two minutes and mailed, once, with what was said and no secrets', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const file = (await upload(olivia.api, 'words', 'guide.txt')).body.id
    await say(olivia, ticket.id, 'Your new password is `hunter2-hunter2`, **really**.', [file])
    const [in_s] = await planned(ticket.id)
    expect(in_s).toBeGreaterThan(110)
    expect(in_s).toBeLessThanOrEqual(120)
    await twoMinutesLater(ticket.id)
    // A job whose process died after its commit runs again.
    await twoMinutesLater(ticket.id)
    expect(await owed('ticket_reply', customer.email)).toHaveLength(1)
    const mail = await test.mails.next(customer.email)
    expect(mail.subject).toContain('No connection')
    expect(mail.text).toContain('> Your new password is […], really.')
    expect(mail.raw).not.toContain('hunter2')
    expect(mail.text).toContain(`http://localhost:3000/account/tickets/${ticket.id}`)
    expect(mail.text).toContain('1')
  })

  it('is not mailed when it was read meanwhile, or answered, which is reading it', async () => {
    const [reader, writer] = [await signedInCustomer(test), await signedInCustomer(test)]
    const [one, other] = [await opened(reader), await opened(writer)]
    for (const { id } of [one, other]) await say(olivia, id, 'Please try again.')
    await reader.api.call(tickets.markRead, { params: { chatId: one.id }, body: { seq: 2 } })
    await say(writer, other.id, 'It works.')
    for (const { id } of [one, other]) await twoMinutesLater(id)
    expect(await owed('ticket_reply', reader.email)).toEqual([])
    expect(await owed('ticket_reply', writer.email)).toEqual([])
  })

  // Seen red without the condition on the number that is moved forward: two of three at once mailed the same replies.
  it('goes with its neighbours in one mail; what comes after that mail is mailed again', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    for (const text of ['One.', 'Two.', 'Three.']) await say(olivia, ticket.id, text)
    await Promise.all([1, 2, 3].map(() => twoMinutesLater(ticket.id)))
    expect(await owed('ticket_reply', customer.email)).toHaveLength(1)
    const mail = await test.mails.next(customer.email)
    expect(mail.text).toMatch(/> One\.\s+> Two\.\s+> Three\./)
    await say(olivia, ticket.id, 'Four.')
    await twoMinutesLater(ticket.id)
    expect((await test.mails.next(customer.email)).text).not.toContain('Three.')
  })

  it('a note is never mailed, whatever stands around it', async () => {
    const customer = await signedInCustomer(test)
    const ticket = await opened(customer)
    const params = { chatId: ticket.id }
    const body = { client_id: randomUUID(), text: 'a secret among us' }
    expect((await olivia.api.call(tickets.postNote, { params, body })).status).toBe(201)
    expect(await planned(ticket.id)).toEqual([])
    await twoMinutesLater(ticket.id)
    expect(await owed('ticket_reply', customer.email)).toEqual([])
    await say(olivia, ticket.id, 'Hello.')
    await twoMinutesLater(ticket.id)
    expect((await test.mails.next(customer.email)).raw).not.toContain('a secret among us')
  })

  it('is not mailed to who switched that off, nor to who is gone', async () => {
    const [quiet, gone] = [await signedInCustomer(test), await signedInCustomer(test)]
    await quiet.api.call(profile.changeMailPreferences, { body: { ticket_replies: false } })
    const [one, other] = [await opened(quiet), await opened(gone)]
    for (const { id } of [one, other]) await say(olivia, id, 'Hello.')
    const ids = await Promise.all([one, other].map(({ id }) => idOf(id)))
    expect((await gone.api.call(profile.deactivate, { body: {} })).status).toBe(204)
    for (const ticket_id of ids) await mailJobs[0]!.run(app, { ticket_id }, 'test')
    expect(await owed('ticket_reply', quiet.email)).toEqual([])
    expect(await owed('ticket_reply', gone.email)).toEqual([])
  })
})

describe('a new ticket', () => {
  it('is mailed to all staff who want it, in their language, and not to who opened it', async () => {
    const [bob, quiet, customer] = [
      await signedInStaff(test),
      await signedInStaff(test),
      await signedInCustomer(test, { locale: 'ru' }),
    ]
    await quiet.api.call(profile.changeMailPreferences, { body: { new_tickets: false } })
    const before = (await owed('ticket_new', olivia.email)).length
    const ticket = await opened(customer, 'My key is\n```\nhunter2-hunter2\n```')
    expect((await owed('ticket_new', olivia.email)).slice(before)).toMatchObject([{ locale: 'de' }])
    expect(await owed('ticket_new', bob.email)).toMatchObject([{ locale: 'en' }])
    expect(await owed('ticket_new', quiet.email)).toEqual([])
    expect(await owed('ticket_new', customer.email)).toEqual([])
    const mail = await test.mails.next(bob.email)
    expect(mail.subject).toContain(`#${ticket.number}`)
    expect(mail.text).toContain(customer.email)
    expect(mail.text).toContain(`/account/staff-tickets/${ticket.id}`)
    expect(mail.raw).not.toContain('hunter2')

    await opened(bob)
    expect(await owed('ticket_new', bob.email)).toHaveLength(1)
  })

  it('is mailed once, however often its creation is sent, and later words of the customer are not', async () => {
    const customer = await signedInCustomer(test)
    const before = (await owed('ticket_new', olivia.email)).length
    const body = { subject: 'x', message: 'x', topic: 'review' as const, client_id: randomUUID() }
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => customer.api.call(tickets.createTicket, { body })),
    )
    await say(customer, replies[0]!.body.id, 'Are you there?')
    expect((await owed('ticket_new', olivia.email)).length).toBe(before + 1)
  })
})
