import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as contract from '#features/payouts/contract.ts'
import * as staffContract from '#features/payouts/staff-contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { eraseAccounts } from './accounts.ts'

const test = await startTestApp()
const { app, mails } = test
const billing = await signedInStaff(test, { roles: ['billing'] })
const account = { iban: 'DE89 3704 0044 0532 0130 00', holder: 'Anna Berger' }
const euros = (amount: string) => ({ amount, currency: 'EUR' })
const listed = async () =>
  bodyOf(await billing.api.call(staffContract.listStaffPayouts, { query: {} }), 200).items
const kept = async () =>
  JSON.stringify(await asOwner(test, 'select row_to_json(a)::text as row from payout_accounts a'))

it('rule 61: mails about a payout go to the address of a deleted account, in its language, until it is erased', async () => {
  const customer = await signedInCustomer(test, { locale: 'de' })
  await addMoney(app, customer.user_id, 12_50n)
  const body = { payout: { amount: euros('1250'), ...account } }
  expect((await customer.api.call(deactivate, { body })).status).toBe(204)
  // The mail about the account is one of security, and the other one of money: either may be sent first.
  const both = [await mails.next(customer.email), await mails.next(customer.email)]
  const deleted = must(both.find(({ subject }) => !subject?.includes('12,50')))
  const asked = must(both.find(({ subject }) => subject?.includes('12,50')))
  expect(deleted.text).toContain('nur noch zur Auszahlung Ihres Guthabens')
  expect(asked.subject).toMatch(/^Ihre Auszahlung über 12,50\s€/)
  expect(asked.text).toContain('3000')
  expect(asked.text).toContain('löschen beide 30 Tage')
  // There is no page of this account to which a link could lead, and no balance any more.
  expect(asked.text).not.toMatch(/\/account\/finances|Guthaben:/)
  expect(await kept()).not.toContain(customer.email)

  const [payout] = await listed()
  const { id, reference } = must(payout)
  // Staff know whom to ask where a bank refuses the transfer.
  expect(payout).toMatchObject({ customer: { id: customer.user_id, email: customer.email } })
  const params = { userId: customer.user_id, id }
  expect((await billing.api.call(staffContract.markPayoutSent, { params })).status).toBe(200)
  const sent = await mails.next(customer.email)
  expect([sent.subject, sent.text]).toEqual([
    expect.stringMatching(/12,50\s€/),
    expect.stringContaining(reference),
  ])
  await asOwner(test, `update payout_accounts set created_at = now() - interval '31 days'`)
  await eraseAccounts(app)
  expect(await kept()).toContain('address_sealed')
  await asOwner(test, `update payouts set ended_at = now() - interval '31 days' where ended_at is not null`)
  await eraseAccounts(app)
  expect(await kept()).toBe('[]')
  expect(await listed()).toMatchObject([{ account: null, iban_end: null }])
  expect(JSON.stringify(await listed())).not.toContain(customer.email)
})

it('rule 61: a payout that was under way before its account was deleted is told of, too, and says where to turn', async () => {
  const customer = await signedInCustomer(test, { locale: 'ru' })
  await addMoney(app, customer.user_id, 7_00n)
  const headers = { 'idempotency-key': randomUUID() }
  const asked = { amount: euros('700'), ...account }
  const { id } = bodyOf(await customer.api.call(contract.requestPayout, { headers, body: asked }), 201)
  await mails.next(customer.email)
  expect((await customer.api.call(deactivate, { body: {} })).status).toBe(204)
  await mails.next(customer.email)
  const back = await billing.api.call(staffContract.returnPayout, {
    params: { userId: customer.user_id, id },
    headers: { 'idempotency-key': randomUUID() },
    body: { reason: 'No such account' },
  })
  expect(back.status).toBe(201)
  const mail = await mails.next(customer.email)
  expect(mail.text).toContain('сообщите нам другие банковские реквизиты')
  for (const part of ['No such account', '3000', '7,00']) expect(mail.text).toContain(part)
  // The answer to this mail names another account, to which staff send the money.
  const again = await billing.api.call(contract.payToBank, {
    params: { userId: customer.user_id },
    headers: { 'idempotency-key': randomUUID() },
    body: { amount: euros('700'), iban: 'NO9386011117947', holder: 'Anna Berger', reason: 'By mail' },
  })
  expect(again.status).toBe(201)
  expect((await mails.next(customer.email)).text).toContain('7947')
})
