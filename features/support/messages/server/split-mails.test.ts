import { expect, it } from 'vitest'
import { markRead } from '#features/support/messages/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say, split } from '#tests/harness/tickets.ts'
import { mailDueReplies } from './mails.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const olivia = await signedInStaff(test)

const splitOff = async (chatId: string, seq: number) => bodyOf(await split(olivia, chatId, seq), 201)
/** Lets all waiting mails become due, and queues them. */
const due = async () => {
  await asOwner(test, 'update ticket_mails set due_at = now() where due_at is not null')
  await mailDueReplies(test.app)
}
const mailed = async (email: string) =>
  (await asOwner(test, `select id from mails where to_address = $1 and letter = 'ticket_reply'`, [email]))
    .length

it('a reply that waits to be mailed is mailed once from the ticket to which it was split off', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  await say(olivia, ticket.id, 'First answer.')
  await say(anna, ticket.id, 'Another thing.')
  await say(olivia, ticket.id, 'Second answer.')
  const made = await splitOff(ticket.id, 3)
  await due()
  const mails = [await test.mails.next(anna.email), await test.mails.next(anna.email)]
  const told = mails.map(({ subject, text = '' }) => [
    subject?.includes('Second thing'),
    ['First', 'Second'].filter((word) => text.includes(`${word} answer.`)),
  ])
  expect(told).toEqual(
    expect.arrayContaining([
      [false, ['First']],
      [true, ['Second']],
    ]),
  )
  await due()
  expect(await mailed(anna.email)).toBe(2)
  await say(olivia, made.id, 'Third answer.')
  await due()
  const { text } = await test.mails.next(anna.email)
  expect([text?.includes('Third answer.'), text?.includes('Second answer.')]).toEqual([true, false])
})

it('replies that were mailed or read before they were split off are not mailed again', async () => {
  const anna = await signedInCustomer(test)
  const [told, read] = [await opened(anna), await opened(anna)]
  for (const { id } of [told, read]) {
    await say(anna, id, 'Another thing.')
    await say(olivia, id, 'An answer.')
  }
  await anna.api.call(markRead, { params: { chatId: read.id }, body: { seq: 3 } })
  await due()
  expect(await mailed(anna.email)).toBe(1)
  await splitOff(told.id, 2)
  await splitOff(read.id, 2)
  await due()
  expect(await mailed(anna.email)).toBe(1)
})

it('of two replies that are split off, the one that was mailed before is not mailed with the other', async () => {
  const anna = await signedInCustomer(test)
  const { id } = await opened(anna)
  await say(anna, id, 'Another thing.')
  await say(olivia, id, 'First answer.')
  await due()
  expect((await test.mails.next(anna.email)).text).toContain('First answer.')
  await say(olivia, id, 'Second answer.')
  await splitOff(id, 2)
  await due()
  const { text } = await test.mails.next(anna.email)
  expect([text?.includes('First answer.'), text?.includes('Second answer.')]).toEqual([false, true])
})
