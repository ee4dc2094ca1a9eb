import { expect, it } from 'vitest'
import { closeTicket, createTicket } from '#features/support/tickets/contract.ts'
import { assignTicket } from '#features/support/desk/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { openTicketsOf, releaseTicketsOf } from './support.ts'

const test = await startTestApp()
const { app } = test

it('counts the open tickets of people and gives them back, with a line between the messages', async () => {
  const [customer, member] = await Promise.all([signedInCustomer(test), signedInStaff(test)])
  const chats: string[] = []
  for (const subject of ['Slow', 'Down', 'Solved']) {
    const { body } = await customer.api.call(createTicket, {
      body: { subject, message: 'Please help.', topic: 'technical' },
    })
    const chatId = must('id' in body ? body.id : undefined)
    await member.api.call(assignTicket, { params: { chatId }, body: {} })
    chats.push(chatId)
  }
  await customer.api.call(closeTicket, { params: { chatId: must(chats[2]) } })
  expect(await openTicketsOf(app.db, [member.user_id, customer.user_id])).toEqual(
    new Map([[member.user_id, 2]]),
  )
  expect(await transaction(app, 'system', (tx) => releaseTicketsOf(tx, member.user_id))).toBe(2)
  expect(await openTicketsOf(app.db, [member.user_id])).toEqual(new Map())
  const { body } = await customer.api.get<{ items: { event?: { code: string } }[] }>(
    `/api/tickets/${chats[0]}/messages/`,
  )
  expect(body.items.map(({ event }) => event?.code)).toContain('given_back')
  const solved = await member.api.get(`/api/tickets/${chats[2]}/`)
  expect(solved.body).toMatchObject({ status: 'closed', assignee: { id: member.user_id } })
})
