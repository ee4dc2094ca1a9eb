import { randomUUID } from 'node:crypto'
import { Client as Connection } from 'pg'
import { describe, expect, it } from 'vitest'
import { tellTyping } from '#features/support/messages/contract.ts'
import * as contract from '#features/support/desk/contract.ts'
import { createTicket, type Ticket } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { setStaffRoles, updateUser } from '#foundation/server/session/session.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()

const named = async (person: Customer, name: string, surname: string) => {
  await person.api.patch('/api/users/update/', { name, surname })
  return person
}

async function ticketOf({ api }: Customer): Promise<Ticket> {
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const }
  return bodyOf(await api.call(createTicket, { body }), 201)
}

describe('colleagues', () => {
  it('are the staff who may sign in, by name; without a name by address', async () => {
    const olivia = await named(await signedInStaff(test), 'Olivia', 'Grant')
    const jonas = await named(await signedInStaff(test), 'Jonas', 'Keller')
    const nameless = await signedInStaff(test, { email: 'zoe@example.com' })
    const gone = await signedInStaff(test)
    await transaction(test.app, 'system', (tx) => updateUser(tx, gone.user_id, { is_active: false }))
    await signedInCustomer(test)
    const { items } = bodyOf(await olivia.api.call(contract.listColleagues, {}), 200)
    expect(items).toEqual([
      { id: jonas.user_id, name: 'Jonas Keller', shown_as: 'Jonas Keller', away: null },
      { id: olivia.user_id, name: 'Olivia Grant', shown_as: 'Olivia Grant', away: null },
      // A canned reply signs with what the customer sees, which is no address of staff.
      { id: nameless.user_id, name: 'zoe@example.com', shown_as: test.app.config.operator.name, away: null },
    ])
  })
})

describe('presence', () => {
  const look = (person: Customer, chatId: string, state: 'here' | 'left' = 'here') =>
    person.api.call(contract.tellPresence, { params: { chatId }, body: { state } })

  it('is sent to staff who view the ticket, never to the customer, the sender or staff elsewhere', async () => {
    const customer = await signedInCustomer(test)
    const [jonas, olivia, elsewhere] = [
      await named(await signedInStaff(test), 'Jonas', 'Keller'),
      await named(await signedInStaff(test), 'Olivia', 'Grant'),
      await signedInStaff(test),
    ]
    const { id: chatId } = await ticketOf(customer)
    const everybody = [customer, jonas, olivia, elsewhere]
    const streams = await Promise.all(
      everybody.map(({ api }) => openEvents(test.url, must(api.access_token))),
    )
    expect(bodyOf(await look(jonas, chatId), 200)).toEqual({ items: [] })
    // A newcomer learns at once who views the ticket.
    expect(bodyOf(await look(olivia, chatId), 200).items).toEqual([
      { id: jonas.user_id, name: 'Jonas Keller' },
    ])
    await olivia.api.call(tellTyping, { params: { chatId } })
    await look(olivia, chatId, 'left')
    await must(streams[1]).until(({ data }) => data['state'] === 'left')
    await must(streams[0]).until(({ type }) => type === 'typing')
    const heard = streams.map(({ events }) =>
      events.filter(({ type }) => type !== 'ready').map(({ type, data }) => data['state'] ?? type),
    )
    expect(heard).toEqual([['typing'], ['here', 'typing', 'left'], [], []])
    expect(bodyOf(await look(jonas, chatId), 200)).toEqual({ items: [] })
    for (const stream of streams) stream.close()
  })

  // An earlier version inserted a row for each member of staff at each typed word, and a row in the table of attempts at each call.
  it('and typing write nothing: they do without any right to', async () => {
    const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
    const params = { chatId: (await ticketOf(customer)).id }
    const asOwner = async (statement: string) => {
      const owner = new Connection({ connectionString: test.app.ownerUrl })
      await owner.connect()
      await owner.query(statement)
      await owner.end()
    }
    await asOwner('revoke insert, update, delete on all tables in schema public from hostdesk_app')
    const answers = [
      await staff.api.call(contract.tellPresence, { params, body: { state: 'here' } }),
      await staff.api.call(tellTyping, { params }),
      await customer.api.call(tellTyping, { params }),
    ]
    await asOwner('grant insert, update, delete on all tables in schema public to hostdesk_app')
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 204])
  })

  it('rule 4: is 404 in one’s own ticket and in none', async () => {
    const staff = await signedInStaff(test)
    const { id: own } = await ticketOf(staff)
    for (const chatId of [own, 'x'.repeat(22)]) {
      const reply = await staff.api.call(contract.tellPresence, {
        params: { chatId },
        body: { state: 'here' },
      })
      expect(reply).toMatchObject({ status: 404, body: { errors: [{ code: 'not_found' }] } })
    }
  })
})

it('G-04: refuses customers, and staff from the moment they are none', async () => {
  const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
  const paths = ['replies/', 'colleagues/', `customers/${randomUUID()}/`]
  for (const path of paths) expect((await customer.api.get(`/api/staff/${path}`)).status).toBe(403)
  expect((await staff.api.get('/api/staff/colleagues/')).status).toBe(200)
  await transaction(test.app, 'system', (tx) => setStaffRoles(tx, staff.user_id, []))
  for (const path of paths) expect((await staff.api.get(`/api/staff/${path}`)).status).toBe(403)
})
