import { expect, it } from 'vitest'
import { createTicket, getTicket } from '#features/support/tickets/contract.ts'
import { listMessages } from '#features/support/messages/contract.ts'
import { listStaffTickets } from '#features/support/desk/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { assignByCommand, markSpamByCommand } from './by-command.ts'

const test = await startTestApp()
const [customer, jonas] = [await signedInCustomer(test), await signedInStaff(test)]
const asked = await customer.api.call(createTicket, {
  body: { subject: 'No answer', message: 'x', topic: 'technical' },
})
const { id, number } = bodyOf(asked, 201)
const act = { number, reason: 'Holidays' }
const params = { chatId: id }
const acts = () =>
  asOwner(
    test,
    `select act, detail->>'by' as by from audit where user_id = $1 and act like 'ticket.%' order by id`,
    [customer.user_id],
  )

it('K-03 the command line hands a ticket over with a note that no customer reads, and says who did it nowhere but in the audit', async () => {
  const to = jonas.user_id
  expect(await assignByCommand(test.app, act, { to, note: 'Calls at nine' })).toBe(true)
  expect(await assignByCommand(test.app, act, { to })).toBe(false)
  expect(bodyOf(await jonas.api.call(getTicket, { params }), 200)).toMatchObject({
    status: 'in-progress',
    assignee: { id: to },
  })
  const read = async ({ api }: typeof customer) =>
    bodyOf(await api.call(listMessages, { params, query: {} }), 200).items.map(({ kind, text, author }) => [
      kind,
      text,
      author === null,
    ])
  const [first, line, note] = await read(jonas)
  expect([first, line, note]).toEqual([
    ['comment', 'x', false],
    ['event', '', true],
    ['note', 'Calls at nine', true],
  ])
  expect(await read(customer)).toEqual([first, line])
  const by = 'command line'
  expect(await acts()).toEqual([
    { act: 'ticket.handed_over', by },
    { act: 'ticket.noted', by },
  ])
  await expect(assignByCommand(test.app, act, { to: customer.user_id })).rejects.toMatchObject({
    errors: [{ code: 'own_ticket' }],
  })
  const { user_id: stranger } = await signedInCustomer(test)
  await expect(assignByCommand(test.app, act, { to: stranger })).rejects.toMatchObject({
    errors: [{ code: 'unknown_staff' }],
  })
})

it('K-02 the command line closes a ticket as spam, and opens it again', async () => {
  const spam = async () =>
    bodyOf(
      await jonas.api.call(listStaffTickets, { query: { tab: 'spam', customer: customer.user_id } }),
      200,
    ).items.map((ticket) => ticket.number)
  expect(await markSpamByCommand(test.app, act, true)).toBe(true)
  expect(await markSpamByCommand(test.app, act, true)).toBe(false)
  expect(await spam()).toEqual([number])
  await expect(assignByCommand(test.app, act, { to: jonas.user_id })).rejects.toMatchObject({
    errors: [{ code: 'ticket_closed' }],
  })
  expect(await markSpamByCommand(test.app, act, false)).toBe(true)
  expect(await spam()).toEqual([])
  expect(bodyOf(await customer.api.call(getTicket, { params }), 200).status).not.toBe('closed')
  await expect(markSpamByCommand(test.app, { ...act, number: 999_999 }, true)).rejects.toMatchObject({
    status: 404,
  })
})
