import { postNote } from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as contract from '#features/support/desk/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, giveLicence } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()

const cardOf = (staff: Customer, userId: string) =>
  staff.api.call(contract.getCustomer, { params: { userId } })
const ask = async ({ api }: Customer, subject: string) =>
  bodyOf(await api.call(createTicket, { body: { subject, message: 'How?', topic: 'technical' } }), 201)

it("returns the customer's contact data, servers and tickets", async () => {
  const [customer, stranger, staff] = [
    await signedInCustomer(test, { locale: 'de' }),
    await signedInCustomer(test),
    await signedInStaff(test),
  ]
  await customer.api.patch('/api/users/update/', {
    name: 'Anna',
    surname: 'Berger',
    city: 'Hamburg',
    country: 'DE',
  })
  await addMoney(test.app, customer.user_id, 4_200n)
  const host = await addHost(customer.api, { name: 'web-1', ipv4: '10.0.0.7', ipv6: '2001:db8::7' })
  await giveLicence(test, customer, host.id, 86_400_000)
  await addHost(stranger.api, { name: 'theirs' })
  const [older, newer] = [await ask(customer, 'older'), await ask(customer, 'newer')]
  await ask(stranger, 'theirs')
  // A note is among staff; it does not make a ticket the latest.
  await staff.api.call(postNote, {
    params: { chatId: older.id },
    body: { client_id: randomUUID(), text: 'x' },
  })
  const card = bodyOf(await cardOf(staff, customer.user_id), 200)
  expect(card).toMatchObject({
    id: customer.user_id,
    name: 'Anna Berger',
    email: customer.email,
    language: 'de',
    city: 'Hamburg',
    country: 'DE',
    balance: { amount: '4200', currency: 'EUR' },
    hosts: {
      items: [
        {
          id: host.id,
          name: 'web-1',
          ipv4: '10.0.0.7',
          ipv6: '2001:db8::7',
          licence: 'active',
          connected: false,
        },
      ],
      more: false,
    },
    tickets: { items: [{ id: newer.id, subject: 'newer', status: 'opened' }, { id: older.id }], more: false },
  })
})

it('rule 33: the customer card lists the 10 newest servers and reports whether there are more', async () => {
  const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
  for (let count = 0; count < 10; count += 1) await addHost(customer.api, { name: `web-${count}` })
  expect(bodyOf(await cardOf(staff, customer.user_id), 200).hosts).toMatchObject({ more: false })
  await addHost(customer.api, { name: 'newest' })
  const { hosts } = bodyOf(await cardOf(staff, customer.user_id), 200)
  expect([hosts.items.length, hosts.items[0]?.name, hosts.more]).toEqual([10, 'newest', true])
})

it('rule 4: the customer card of a deactivated account gets the same 404 as that of an unknown account', async () => {
  const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
  await transaction(test.app, 'system', (tx) => updateUser(tx, customer.user_id, { is_active: false }))
  const [gone, never] = [await cardOf(staff, customer.user_id), await cardOf(staff, randomUUID())]
  expect([gone.status, gone.body]).toEqual([404, never.body])
})
