import { expect, it } from 'vitest'
import { changeMailPreferences } from '#features/profile/contract.ts'
import * as contract from '#features/support/messages/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { endGrant, helperOf } from '#tests/harness/grants.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, question, say } from '#tests/harness/tickets.ts'
import { mailDueReplies } from './mails.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const staff = await signedInStaff(test)

/** A helper opens a ticket for its owner, and staff answer it. */
async function answered() {
  const owner = await signedInCustomer(test)
  const helping = await helperOf(test, owner)
  const { id } = (await helping.api.post<{ id: string }>(`/api/tickets/?for=${owner.user_id}`, question)).body
  await say(staff, id, 'Please restart it.')
  return { owner, helping, id }
}

async function later(chatId: string): Promise<void> {
  await asOwner(
    test,
    `update ticket_mails set first_unmailed_at = first_unmailed_at - interval '20 min', due_at = due_at - interval '20 min',
       last_mailed_at = last_mailed_at - interval '20 min'
     where ticket_id = (select id from tickets where public_id = $1)`,
    [chatId],
  )
  await mailDueReplies(test.app)
}

const mailsTo = async ({ email }: Customer): Promise<number> => {
  const [row] = await asOwner(
    test,
    `select count(*)::int as count from mails where letter = 'ticket_reply' and to_address = $1`,
    [email],
  )
  return (row as { count: number }).count
}

it('O-07: a reply is mailed to the helper who wrote and to the owner, each once', async () => {
  const { owner, helping, id } = await answered()
  const other = await helperOf(test, owner)
  await later(id)
  await later(id)
  expect([await mailsTo(owner), await mailsTo(helping), await mailsTo(other)]).toEqual([1, 1, 0])
  await say(staff, id, 'Does it run again?')
  await later(id)
  expect([await mailsTo(owner), await mailsTo(helping)]).toEqual([2, 2])
})

it('O-07: an owner who has read the reply gets no mail about it, while the helper who has not read it does', async () => {
  const { owner, helping, id } = await answered()
  await owner.api.call(contract.markRead, { params: { chatId: id }, body: { seq: 2 } })
  await later(id)
  expect([await mailsTo(owner), await mailsTo(helping)]).toEqual([0, 1])
})

it('O-07: the owner switches it off, and who lost the grant gets none', async () => {
  const { owner, helping, id } = await answered()
  await owner.api.call(changeMailPreferences, { body: { ticket_replies: false } })
  await later(id)
  expect([await mailsTo(owner), await mailsTo(helping)]).toEqual([0, 1])
  await say(staff, id, 'And now?')
  await endGrant(owner, helping.grantId)
  await later(id)
  expect([await mailsTo(owner), await mailsTo(helping)]).toEqual([0, 1])
  expect(await messagesOf(owner, id)).toMatchObject({ items: [{}, {}, {}] })
})
