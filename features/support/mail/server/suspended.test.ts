import { expect, it } from 'vitest'
import { makePrimary, removeAddress } from '#features/profile/contract.ts'
import { insertAddress } from '#features/profile/server/profile.ts'
import { mailDueReplies } from '#features/support/messages/server/mails.ts'
import * as contract from '#features/support/mail/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { mailInSettings } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say } from '#tests/harness/tickets.ts'
import { suspend } from './returns.ts'

const test = await startTestApp({ settings: mailInSettings })
const { app } = test
const olivia = await signedInStaff(test)

const adds = ({ user_id }: Customer, email: string) =>
  transaction(app, 'system', (tx) => insertAddress(tx, { user_id, email, is_primary: false, verified: true }))
const comesBack = ({ user_id }: Customer, email: string) =>
  transaction(app, 'system', (tx) => suspend(tx, { user_id, email, reason: '550 no such mailbox' }))
const suspended = async (who: Customer) =>
  bodyOf(await who.api.call(contract.listSuspended, {}), 200).items.map(({ email }) => email)
const removes = async (who: Customer, email: string) =>
  bodyOf(await who.api.call(removeAddress, { body: { email } }), 200)
/** Lets staff answer a ticket of a customer, and the mail about it go to the address. */
const isMailed = async (who: Customer, email: string) => {
  bodyOf(await who.api.call(makePrimary, { body: { email, primary: true } }), 200)
  const { id } = await opened(who)
  await say(olivia, id, 'Here you are.')
  await asOwner(test, 'update ticket_mails set due_at = now() where due_at is not null')
  await mailDueReplies(app)
  for (;;) {
    const { text } = await test.mails.next(email)
    if (text?.includes('Here you are.')) return
  }
}

it('K-05 a suspended address that its owner removes takes mails again for whoever proves it then, and others stay suspended', async () => {
  const [anna, boris] = [await signedInCustomer(test), await signedInCustomer(test)]
  const [shared, other] = ['shared@example.org', 'other@example.org']
  for (const email of [shared, other]) {
    await adds(anna, email)
    await comesBack(anna, email)
  }
  expect(await suspended(anna)).toEqual([other, shared])
  await removes(anna, shared)
  expect(await suspended(anna)).toEqual([other])
  await adds(boris, shared)
  await isMailed(boris, shared)
  // Nothing of the former owner stands in the way of a suspension of the new one.
  await comesBack(boris, shared)
  expect(await suspended(boris)).toEqual([shared])
  expect((await boris.api.call(contract.retryAddress, { body: { email: shared } })).status).toBe(204)
})

it('K-05 a mail that comes back after its address was removed suspends nobody', async () => {
  const [anna, boris] = [await signedInCustomer(test), await signedInCustomer(test)]
  const email = 'late@example.org'
  await adds(anna, email)
  await removes(anna, email)
  await adds(boris, email)
  await comesBack(anna, email)
  expect([await suspended(anna), await suspended(boris)]).toEqual([[], []])
  await isMailed(boris, email)
})
