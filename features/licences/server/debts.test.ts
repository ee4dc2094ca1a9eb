import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { refundTransaction } from '#features/sales/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import { listPaidPeriods, listPaidServers, previewUpgrade } from '#features/sales/contract.ts'
import { resumeHost, suspendHost } from '#features/licences/contract.ts'
import { personalFiles } from '#features/profile/server/profile.ts'
import { listActivity } from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { debtor as newDebtor, pullBack, type Debtor } from '#tests/harness/debtor.ts'
import { bodyOf, getHost, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import {
  buyer,
  doLicenceJobs,
  orderHost,
  orderLicence,
  passTime,
  sellLarge,
  stockShop,
} from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { transferred } from '#tests/harness/transfers.ts'
import { runDebtStep, sweepDebts } from './debts.ts'

const test = await startTestApp()
const { app } = test
const owner = await superuserOf(test)
afterAll(() => owner.end())
await stockShop(test)
await sellLarge(test)
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
  bodyOf(await billing.api.call(resumeHost, { ...params(second), query: { note: 'Agreed' } }), 200)
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
  expect(bodyOf(await getHost(customer.api, second), 200).licence.suspended?.text).toContain(
    'no longer negative',
  )
})

describe('O-06 money that goes back after a transfer takes nothing from the next owner', () => {
  type Person = Awaited<ReturnType<typeof buyer>>
  const balance = ({ user_id }: Person) => balanceOf(app, app.db, user_id)
  const licenceOf = async ({ api }: Person, hostId: string) => bodyOf(await getHost(api, hostId), 200).licence
  const periodsOf = async ({ api }: Person, hostId: string) =>
    bodyOf(await api.call(listPaidPeriods, { params: { hostId }, query: {} }), 200).items
  const invoicesOf = async ({ api }: Person) =>
    bodyOf(await api.call(listInvoices, { query: {} }), 200).items.map(({ kind }) => kind)
  const exact = async () => expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })

  /** A server whose paid month went to the receiver; `refund` gives the money for it back. */
  async function sold() {
    const [former, receiver] = [await buyer(test, 0n), await buyer(test, 10_000n)]
    const { transaction_id: topUp } = await addMoney(app, former.user_id, 10_000n)
    const { host, transaction: paid } = bodyOf(await orderHost(former, { name: 'otter' }), 201)
    await transferred(former, receiver, host.id)
    const of = { userId: former.user_id, id: paid.id }
    const refund = (more = {}) =>
      billing.api.call(refundTransaction, {
        params: of,
        headers: { 'idempotency-key': crypto.randomUUID() },
        body: { reason: 'Goodwill', ...more },
      })
    return { former, receiver, hostId: host.id, topUp, of, refund }
  }

  // Seen red: a refund to the former owner ended the time that the next one has with the server, without a word to anybody.
  it('a refund goes to who paid; the next owner keeps the time, and staff see beforehand that they have it', async () => {
    const { former, receiver, hostId, of, refund } = await sold()
    const before = await licenceOf(receiver, hostId)
    const { items } = bodyOf(await billing.api.call(listPaidServers, { params: of }), 200)
    expect(items.map(({ next_owner }) => next_owner)).toMatchObject([
      { id: receiver.user_id, until: before.paid_until },
    ])
    bodyOf(await refund(), 201)
    expect([await balance(former), await balance(receiver)]).toEqual([10_000n, 10_000n])
    expect(await invoicesOf(former)).toEqual(['credit_note', 'invoice'])
    expect(await licenceOf(receiver, hostId)).toMatchObject({
      status: 'active',
      paid_until: before.paid_until,
    })
    expect((await refund()).body).toMatchObject(refusal(409, 'not_refundable'))
    // The rest is worth nothing any more: an upgrade by the next owner credits nobody.
    const body = { plan: 'large-month', scope: 'all', when: 'now' } as const
    const preview = await receiver.api.call(previewUpgrade, { params: { hostId }, body })
    expect(bodyOf(preview, 200).credit.amount).toBe('0')
    await exact()
  })
  it('but where staff say that it ends, with a mail to them; what they bought themselves moves up', async () => {
    const { former, receiver, hostId, refund } = await sold()
    bodyOf(await orderLicence(receiver, hostId), 201)
    bodyOf(await refund({ end_for_next_owner: true }), 201)
    expect([await balance(former), await balance(receiver)]).toEqual([10_000n, 10_000n - 2368n])
    expect(await invoicesOf(receiver)).toEqual(['invoice'])
    const [moved, ended] = await periodsOf(receiver, hostId)
    expect([moved?.kind, moved?.ended, ended?.kind, ended?.ended]).toEqual([
      'renewal',
      null,
      'order',
      'refunded',
    ])
    // The receiver's own month begins where the refunded month was cut.
    expect(moved?.starts_at).toBe(ended?.ends_at)
    expect((await licenceOf(receiver, hostId)).paid_until).toBe(moved?.ends_at)
    const { text } = await test.mails.about(receiver.email, / has ended$/)
    expect(text).toContain('former owner')
    await exact()
  })
  it('a chargeback suspends nothing of the next owner', async () => {
    const { former, receiver, hostId, topUp } = await sold()
    await pullBack(test, former, topUp)
    await pass(8)
    expect(await balance(former)).toBeLessThan(0n)
    expect(await licenceOf(receiver, hostId)).toMatchObject({ status: 'active', suspended: null })
  })
})
