import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import * as contract from '#features/support/messages/contract.ts'
import { mergeNow } from '#features/customers/server/merge-now.ts'
import { becomeReader, OPERATOR } from '#foundation/server/account-events/account-events.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { eventsOf } from '#tests/harness/account-events.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { placesOf } from '#tests/harness/every-trace.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say, split } from '#tests/harness/tickets.ts'
import { mailDueReplies } from './mails.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const olivia = await signedInStaff(test)
beforeAll(() => test.startWorker())

const reading = async () => {
  const customer = await signedInCustomer(test)
  for (const list of [customer.user_id, OPERATOR]) await becomeReader(app, list)
  return customer
}
const splitOff = async (chatId: string, seq: number) => bodyOf(await split(olivia, chatId, seq), 201)
const redact = async (who: Customer, chatId: string, seq: number) =>
  bodyOf(await who.api.call(contract.redactMessage, { params: { chatId, seq: String(seq) }, body: {} }), 200)
/** The written events of a list, as the ticket, the number and the text that they tell. */
const toldIn = async (list: string) =>
  (await eventsOf(test, list))
    .filter(({ type }) => type === 'ticket.message_created')
    .map(({ data }) => data as { ticket: { id: string }; message: { seq: number; text: string } })
    .map(({ ticket, message }) => [ticket.id, message.seq, message.text])
const traces = (words: string) => expect.poll(() => placesOf(test, words), { timeout: 20_000, interval: 500 })

it('the events of a message that was split off, twice, lose its text where it was written', async () => {
  const anna = await reading()
  const { id } = await opened(anna)
  const client_id = randomUUID()
  const other = await opened(anna)
  await say(anna, other.id, 'The same number from the program of Anna, and another message.', client_id)
  await say(anna, id, 'First.')
  await say(anna, id, 'My card is amber-canoe-31.', client_id)
  const first = await splitOff(id, 2)
  const second = await splitOff(first.id, 2)
  expect(JSON.stringify(await toldIn(anna.user_id))).toContain('amber-canoe-31')
  expect(JSON.stringify(await eventsOf(test, OPERATOR))).toContain('amber-canoe-31')
  await redact(anna, second.id, 1)
  expect(await toldIn(anna.user_id)).toEqual([
    [id, 1, 'Since this morning.'],
    [other.id, 1, 'Since this morning.'],
    [other.id, 2, 'The same number from the program of Anna, and another message.'],
    [id, 2, 'First.'],
    [id, 3, ''],
  ])
  await traces('amber-canoe-31').toEqual([])
})

it('a mail that waits under the former ticket is not sent, and what else it told is mailed again from where it is now', async () => {
  const anna = await signedInCustomer(test)
  const { id } = await opened(anna)
  await say(olivia, id, 'The first reply stays.')
  await say(olivia, id, 'The second had copper-window-8 in it.')
  await say(olivia, id, 'The third goes along.')
  test.mails.refuseWith(451)
  await asOwner(test, 'update ticket_mails set due_at = now() where due_at is not null')
  await mailDueReplies(app)
  expect(await placesOf(test, 'copper-window-8')).toContain('mails')
  const made = await splitOff(id, 3)
  await redact(olivia, made.id, 1)
  await traces('copper-window-8').toEqual([])
  for (const left of ['The first reply stays.', 'The third goes along.'])
    await traces(left).toContain('mails')
  test.mails.refuseWith(undefined)
})

it('the lists of former owners lose the text, too, also of a message that was split off since', async () => {
  const [anna, into] = [await reading(), await reading()]
  const { id } = await opened(anna)
  await say(anna, id, 'Both: silver-harbour-52.')
  await say(anna, id, 'And my card is birch-lantern-64.')
  await transaction(app, 'system', (tx) =>
    mergeNow(app, tx, { from: anna.user_id, into: into.user_id }, { reason: 'One person.' }),
  )
  expect(JSON.stringify(await toldIn(anna.user_id))).toContain('birch-lantern-64')
  const made = await splitOff(id, 3)
  await redact(olivia, made.id, 1)
  await redact(olivia, id, 2)
  expect(await toldIn(anna.user_id)).toEqual([
    [id, 1, 'Since this morning.'],
    [id, 2, ''],
    [id, 3, ''],
  ])
  for (const words of ['birch-lantern-64', 'silver-harbour-52']) await traces(words).toEqual([])
})
