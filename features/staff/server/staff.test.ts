import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as contract from '#features/staff/contract.ts'
import { createTicket, type Ticket } from '#features/tickets/contract.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
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
  it('are all of the staff who may sign in, by name; without a name by address', async () => {
    const olivia = await named(await signedInStaff(test), 'Olivia', 'Grant')
    const jonas = await named(await signedInStaff(test), 'Jonas', 'Keller')
    const nameless = await signedInStaff(test, { email: 'zoe@example.com' })
    const gone = await signedInStaff(test)
    await transaction(test.app, 'system', (tx) => updateUser(tx, gone.user_id, { is_active: false }))
    await signedInCustomer(test)
    const { items } = bodyOf(await olivia.api.call(contract.listColleagues, {}), 200)
    expect(items).toEqual([
      { id: jonas.user_id, name: 'Jonas Keller' },
      { id: olivia.user_id, name: 'Olivia Grant' },
      { id: nameless.user_id, name: 'zoe@example.com' },
    ])
  })
})

describe('presence', () => {
  const presenceSeenBy = async ({ user_id }: Customer) => {
    const rows = await test.app.db
      .selectFrom('live_events')
      .select('payload')
      .where('user_id', '=', user_id)
      .where('type', '=', contract.PRESENCE)
      .execute()
    return rows.map(({ payload }) => payload)
  }

  it('is told to the others of the staff, never to the customer or to oneself', async () => {
    const customer = await signedInCustomer(test)
    const [jonas, olivia] = [
      await named(await signedInStaff(test), 'Jonas', 'Keller'),
      await signedInStaff(test),
    ]
    const { id: chatId } = await ticketOf(customer)
    const call = { params: { chatId }, body: { state: 'arrived' as const } }
    expect((await jonas.api.call(contract.tellPresence, call)).status).toBe(204)
    expect(await presenceSeenBy(olivia)).toEqual([
      { chat_id: chatId, user_id: jonas.user_id, name: 'Jonas Keller', state: 'arrived' },
    ])
    expect(await presenceSeenBy(customer)).toEqual([])
    expect(await presenceSeenBy(jonas)).toEqual([])
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
  await transaction(test.app, 'system', (tx) => updateUser(tx, staff.user_id, { is_staff: false }))
  for (const path of paths) expect((await staff.api.get(`/api/staff/${path}`)).status).toBe(403)
})
