import * as desk from '#features/support/desk/contract.ts'
import * as messages from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as contract from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()

it('rule 44: actions of staff on a ticket are in the audit with address and request; those of its customer are not', async () => {
  const [customer, staff, colleague] = [
    await signedInCustomer(test),
    await signedInStaff(test),
    await signedInStaff(test),
  ]
  const opening = { subject: 'A question', message: 'How?', topic: 'review' as const }
  const { id: chatId } = bodyOf(await customer.api.call(contract.createTicket, { body: opening }), 201)
  const params = { chatId }
  const { api } = staff
  await api.call(desk.assignTicket, { params, body: {} })
  await api.call(desk.changeTicket, { params, body: { priority: 'high', topic: 'technical' } })
  const note = { client_id: randomUUID(), text: 'An old hand' }
  await api.call(messages.postNote, { params, body: note })
  await api.call(messages.postNote, { params, body: note })
  await api.call(desk.assignTicket, { params, body: { user_id: colleague.user_id } })
  await colleague.api.call(desk.giveBackTicket, { params, query: {} })
  await api.call(contract.closeTicket, { params })
  await api.call(contract.reopenTicket, { params })
  await customer.api.call(contract.closeTicket, { params })
  await customer.api.call(contract.reopenTicket, { params })
  const { rows } = await test.app.pool.query<Row>(
    `select act, host(ip) as ip, request_id, detail from audit where user_id = $1 and act like 'ticket.%' order by id`,
    [customer.user_id],
  )
  expect(rows.map(({ act, detail }) => [act, detail.by === staff.user_id])).toEqual([
    ['ticket.taken', true],
    ['ticket.priority_changed', true],
    ['ticket.topic_changed', true],
    ['ticket.noted', true],
    ['ticket.handed_over', true],
    ['ticket.given_back', false],
    ['ticket.closed', true],
    ['ticket.reopened', true],
  ])
  for (const row of rows)
    expect(row).toMatchObject({
      ip: '127.0.0.1',
      request_id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      detail: { chat_id: chatId },
    })
})

type Row = { act: string; ip: string; request_id: string; detail: { by: string; chat_id: string } }
