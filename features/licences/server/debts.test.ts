import { afterAll, beforeEach, expect, it } from 'vitest'
import { resumeHost, suspendHost } from '#features/licences/contract.ts'
import { personalFiles } from '#features/profile/server/profile.ts'
import { listActivity } from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { debtor as newDebtor, pullBack, type Debtor } from '#tests/harness/debtor.ts'
import { bodyOf, getHost, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { doLicenceJobs, passTime, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { runDebtStep, sweepDebts } from './debts.ts'

const test = await startTestApp()
const { app } = test
const owner = await superuserOf(test)
afterAll(() => owner.end())
await stockShop(test)
const billing = await signedInStaff(test)
beforeEach(() => void Object.assign(app.config, { suspendAfterDays: 7 }))

const debtor = (hosts?: number) => newDebtor(test, hosts)

const pass = async (days: number): Promise<void> => {
  await passTime(test, days)
  await doLicenceJobs(test)
}
const suspendedOf = async ({ api, hostIds }: Debtor) =>
  Promise.all(
    hostIds.map(async (id) => bodyOf(await getHost(api, id), 200).licence.suspended?.reason ?? null),
  )
const mailsTo = async ({ user_id }: { user_id: string }) => {
  const rows = await app.db
    .selectFrom('mails')
    .select('letter')
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .execute()
  return rows
    .map(({ letter }) => letter)
    .filter((letter) => letter.includes('debt') || letter.startsWith('host_'))
}
const params = (hostId: string) => ({ params: { hostId } })

it('L-22 a chargeback below zero mails at once, after 3 and 6 days, suspends after 7, and the payment lifts it', async () => {
  const customer = await debtor()
  await doLicenceJobs(test)
  expect(await mailsTo(customer)).toEqual(['debt'])
  await pass(3.01)
  await pass(3)
  expect(await mailsTo(customer)).toEqual(['debt', 'debt', 'debt'])
  expect(await suspendedOf(customer)).toEqual([null, null])
  await pass(1)
  expect(await suspendedOf(customer)).toEqual(['charge_back', 'charge_back'])
  expect((await mailsTo(customer)).at(-1)).toBe('debt_suspends')
  await addMoney(app, customer.user_id, 100n)
  expect(await suspendedOf(customer), 'a part of the debt is no payment of it').toEqual([
    'charge_back',
    'charge_back',
  ])
  await addMoney(app, customer.user_id, 10_000n)
  expect(await suspendedOf(customer)).toEqual([null, null])
  expect((await mailsTo(customer)).at(-1)).toBe('debt_settled')
  const { items } = bodyOf(await customer.api.call(listActivity, { query: {} }), 200)
  expect(items.filter(({ act }) => act.startsWith('host.')).map(({ act, by }) => [act, by])).toEqual([
    ['host.resumed', 'system'],
    ['host.resumed', 'system'],
    ['host.suspended', 'system'],
    ['host.suspended', 'system'],
  ])
  const files = await transaction(app, 'system', (tx) => personalFiles(app, tx, customer.user_id))
  const read = must(files.find(({ path }) => path === 'debts.json')).read
  expect(await read()).toMatchObject([{ settled_at: expect.any(Date) }])
})

it('L-22 a debt that is paid in time suspends nothing, and a second one begins anew', async () => {
  const customer = await debtor(1)
  await pass(6.5)
  const { transaction_id } = await addMoney(app, customer.user_id, 10_000n)
  await pass(5)
  expect(await suspendedOf(customer)).toEqual([null])
  await pullBack(test, customer, transaction_id)
  await doLicenceJobs(test)
  await pass(6.5)
  expect(await suspendedOf(customer)).toEqual([null])
  await pass(1)
  expect(await suspendedOf(customer)).toEqual(['charge_back'])
})

it('L-23 lifts only what the system suspended, and leaves what a person did', async () => {
  const customer = await debtor()
  const [first = '', second = ''] = customer.hostIds
  const body = { reason: 'abuse', text: 'Spam.', note: 'Report 17' } as const
  bodyOf(await billing.api.call(suspendHost, { ...params(first), body }), 201)
  await pass(8)
  await pass(1)
  expect(await suspendedOf(customer)).toEqual(['abuse', 'charge_back'])
  bodyOf(await billing.api.call(resumeHost, { ...params(second), body: { note: 'Agreed' } }), 200)
  await pass(2)
  expect(await suspendedOf(customer), 'nobody suspends again what a person resumed').toEqual(['abuse', null])
  await addMoney(app, customer.user_id, 20_000n)
  expect(await suspendedOf(customer)).toEqual(['abuse', null])
})

it('L-22 with 0 mails and never suspends, also the debts that began before', async () => {
  const before = await debtor(1)
  Object.assign(app.config, { suspendAfterDays: null })
  const after = await debtor(1)
  await doLicenceJobs(test)
  await pass(9)
  await pass(9)
  expect([await suspendedOf(before), await suspendedOf(after)]).toEqual([[null], [null]])
  expect(await mailsTo(after)).toEqual(['debt', 'debt'])
})

it('L-22 a step that runs twenty times at once, or once more later, is taken once', async () => {
  const customer = await debtor()
  const many = () => Promise.all(Array.from({ length: 20 }, () => runDebtStep(app, customer)))
  await many()
  await many()
  expect(await mailsTo(customer)).toEqual(['debt'])
  await passTime(test, 8)
  await many()
  expect(await mailsTo(customer)).toEqual(['debt', 'debt_suspends'])
  expect(await suspendedOf(customer)).toEqual(['charge_back', 'charge_back'])
})

it('L-22 payments that race with the suspension leave no server suspended, whoever comes first', async () => {
  const customers = await Promise.all(Array.from({ length: 8 }, () => debtor()))
  for (const customer of customers) await runDebtStep(app, customer)
  await passTime(test, 8)
  await Promise.all(
    customers.flatMap((customer) => [
      runDebtStep(app, customer),
      addMoney(app, customer.user_id, 20_000n),
      runDebtStep(app, customer),
    ]),
  )
  for (const customer of customers) expect(await suspendedOf(customer)).toEqual([null, null])
  const open = await owner.query('select from debts where settled_at is null and user_id = any($1)', [
    customers.map(({ user_id }) => user_id),
  ])
  expect(open.rowCount).toBe(0)
})

it('rule 49: the sweep finds a step whose job was lost, and a balance that nobody noted', async () => {
  const lost = await debtor(1)
  await doLicenceJobs(test)
  const unnoted = await debtor(1)
  await owner.query(`delete from jobs where key like 'debt:%'`)
  await owner.query('delete from debts where user_id = $1', [unnoted.user_id])
  await passTime(test, 7.5)
  await sweepDebts(app)
  await doLicenceJobs(test)
  expect(await suspendedOf(lost)).toEqual(['charge_back'])
  expect(await mailsTo(unnoted)).toEqual(['debt'])
  expect(await suspendedOf(unnoted), 'it begins with the sweep').toEqual([null])
  await sweepDebts(app)
  await doLicenceJobs(test)
  expect(await mailsTo(unnoted)).toEqual(['debt'])
})

it('L-22 a deleted server is neither suspended nor named, and its neighbours are', async () => {
  const customer = await debtor()
  await owner.query(`update hosts set deleted_at = now() where public_id = $1`, [customer.hostIds[0]])
  await pass(8)
  await pass(1)
  const [first = '', second = ''] = customer.hostIds
  expect(await getHost(customer.api, first)).toMatchObject({ body: refusal(404, 'not_found') })
  expect(bodyOf(await getHost(customer.api, second), 200).licence.suspended?.text).toContain('zero or more')
})
