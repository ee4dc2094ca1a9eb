import * as contract from '#features/support/messages/contract.ts'
import * as desk from '#features/support/desk/contract.ts'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as profile from '#features/profile/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { conversationsOf } from './download-data.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000', OPERATOR_NAME: 'Northlight' } })

// Tests the uses of `ofStaff` in serialize.ts and staff-tickets.ts: `of` in its place would reveal an email address of staff.
it('a member of staff without a name is the operator to customers, and an address to colleagues', async () => {
  const [customer, staff, colleague] = [
    await signedInCustomer(test),
    await signedInStaff(test),
    await signedInStaff(test),
  ]
  const body = { subject: 'Help', message: 'Look', topic: 'technical' as const }
  const { id } = (await customer.api.call(tickets.createTicket, { body })).body
  const params = { chatId: id }
  const said = { client_id: randomUUID(), text: 'Hello.' }
  await staff.api.call(contract.postMessage, { params, body: said })
  await staff.api.call(desk.assignTicket, { params, body: { user_id: colleague.user_id } })
  await staff.api.call(contract.markRead, { params, body: { seq: 3 } })

  const seen = await customer.api.call(contract.listMessages, { params, query: {} })
  expect(seen.body).toMatchObject({
    items: [
      { author: { name: customer.email } },
      { author: { name: 'Northlight', is_staff: true } },
      { event: { code: 'handed_over', params: { name: 'Northlight' } }, author: { name: 'Northlight' } },
    ],
  })
  const ticket = await customer.api.call(tickets.getTicket, { params })
  expect(ticket.body).toMatchObject({ assignee: { name: 'Northlight' } })
  const listed = await customer.api.call(tickets.listTickets, { query: {} })
  const kept = await conversationsOf(test.app, customer.user_id)
  const all = JSON.stringify([seen.body, ticket.body, listed.body, kept])
  expect(all).toContain('Northlight')
  for (const { email } of [staff, colleague]) expect(all).not.toContain(email)

  const asStaff = await colleague.api.call(contract.listMessages, { params, query: {} })
  expect(asStaff.body).toMatchObject({ items: [{}, { author: { name: staff.email } }, {}] })

  await staff.api.call(profile.updateProfile, { body: { name: 'Olivia' } })
  const named = await customer.api.call(contract.listMessages, { params, query: {} })
  expect(named.body).toMatchObject({ items: [{}, { author: { name: 'Olivia' } }, {}] })
})
