import * as contract from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import * as profile from '#features/profile/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { mailAbout } from './mails.ts'
import { mailNewTickets } from './new-ticket-mails.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
await test.startWorker()
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

/** Waits until the jobs that decide about the mails of new tickets have run. */
const decided = async () => {
  const waiting = `select 1 from jobs where name = 'mail_new_ticket'`
  await expect.poll(async () => (await owner.query(waiting)).rowCount, { timeout: 20_000 }).toBe(0)
}

/** Runs a statement as the schema's owner, to which row-level security applies all the same. */
async function shift(statement: string): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query(`begin; select set_config('app.actor', 'system', true)`)
    await client.query(statement)
    await client.query('commit')
  } finally {
    client.release()
  }
}

const queuedMails = async (kind: string, to?: string) => {
  let query = app.db.selectFrom('mails').select(['id', 'to_address', 'locale']).where('letter', '=', kind)
  if (to) query = query.where('to_address', '=', to)
  return query.execute()
}

describe('a new ticket', () => {
  beforeEach(async () => {
    await decided()
    await shift('delete from new_ticket_mails')
  })

  it('is mailed to all staff who want it, in their language, and not to its author', async () => {
    const [bob, quiet, customer] = [
      await signedInStaff(test),
      await signedInStaff(test),
      await signedInCustomer(test, { locale: 'ru' }),
    ]
    await quiet.api.call(profile.changeMailPreferences, { body: { new_tickets: false } })
    const before = (await queuedMails('ticket_new', olivia.email)).length
    const ticket = await opened(customer, 'My key is\n```\nhunter2-hunter2\n```')
    await decided()
    expect((await queuedMails('ticket_new', olivia.email)).slice(before)).toMatchObject([{ locale: 'de' }])
    expect(await queuedMails('ticket_new', bob.email)).toMatchObject([{ locale: 'en' }])
    expect(await queuedMails('ticket_new', quiet.email)).toEqual([])
    expect(await queuedMails('ticket_new', customer.email)).toEqual([])
    const mail = await test.mails.next(bob.email)
    expect(mail.subject).toContain(`#${ticket.number}`)
    expect(mail.text).toContain(customer.email)
    expect(mail.text).toContain(`/account/staff-tickets/${ticket.id}`)
    expect(mail.raw).not.toContain('hunter2')

    await opened(bob)
    await decided()
    expect(await queuedMails('ticket_new', bob.email)).toHaveLength(1)
  })

  it('is mailed once, however often its creation is sent, and later words of the customer are not', async () => {
    const customer = await signedInCustomer(test)
    const before = (await queuedMails('ticket_new', olivia.email)).length
    const body = { subject: 'x', message: 'x', topic: 'review' as const, client_id: randomUUID() }
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => customer.api.call(tickets.createTicket, { body })),
    )
    await customer.api.call(contract.postMessage, {
      params: { chatId: must(replies[0]).body.id },
      body: { client_id: randomUUID(), text: 'Are you there?' },
    })
    await decided()
    expect((await queuedMails('ticket_new', olivia.email)).length).toBe(before + 1)
  })

  it('is mailed with others in one mail from the sixth in ten minutes on', async () => {
    const before = {
      one: (await queuedMails('ticket_new', olivia.email)).length,
      many: (await queuedMails('tickets_new', olivia.email)).length,
    }
    const customer = await signedInCustomer(test)
    await Promise.all(Array.from({ length: 9 }, () => opened(customer)))
    await opened(olivia)
    await decided()
    expect((await queuedMails('ticket_new', olivia.email)).length - before.one).toBe(5)
    await mailNewTickets(app)
    expect((await queuedMails('tickets_new', olivia.email)).length - before.many).toBe(0)
    await shift(`update new_ticket_mails set opened_at = opened_at - interval '10 minutes'`)
    await Promise.all([1, 2].map(() => mailNewTickets(app)))
    expect((await queuedMails('tickets_new', olivia.email)).length - before.many).toBe(1)
    await test.mails.about(olivia.email, /^4 neue Tickets$/, 20_000)
    // Ten minutes later the next ticket is mailed at once again.
    await opened(customer)
    await decided()
    expect((await queuedMails('ticket_new', olivia.email)).length - before.one).toBe(6)
  })

  it('is opened without waiting for another new ticket or for the job that writes the mails', async () => {
    const customers = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
    const news = await Promise.all(
      customers.map(async (customer) => {
        const { id: chat_id } = await opened(customer)
        const row = await app.db
          .selectFrom('tickets')
          .select('id')
          .where('public_id', '=', chat_id)
          .executeTakeFirstOrThrow()
        return {
          ...said,
          ticket_id: row.id,
          chat_id,
          customer_id: customer.user_id,
          author_id: customer.user_id,
        }
      }),
    )
    await decided()
    await shift('delete from new_ticket_mails')
    const [one, other] = [must(news[0]), must(news[1])]
    const [written, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = transaction(app, 'system', async (tx) => {
      await mailAbout(app, tx, one)
      written.resolve()
      await done.promise
    })
    await written.promise
    // The first transaction stays open until this one is done: if it blocked this one, the test would wait for ever.
    await transaction(app, 'system', (tx) => mailAbout(app, tx, other)).finally(done.resolve)
    await first
    await transaction(app, 'system', async (tx) => {
      await lockByName(tx, 'new_ticket_mails')
      await opened(customers[0])
    })
  })
})

const said = {
  kind: 'comment' as const,
  by_staff: false,
  seq: 1,
  customer_seq: 1,
  first: true,
  text: 'Since this morning.',
  number: 1,
  topic: 'technical' as const,
  host_id: null,
  assignee_id: null,
}
