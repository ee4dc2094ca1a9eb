import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as contract from '#features/finance/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { balanceOf } from './finance.ts'
import { processTransfers } from './transfers.ts'

const test = await startTestApp()
const staff = await signedInStaff(test)

const start = ({ api }: Customer, amount = '2500', key: string = randomUUID()) =>
  api.call(contract.startTopUp, { headers: { 'idempotency-key': key }, body: { amount, provider: 'bank' } })
const announced = async (customer: Customer, amount?: string) => bodyOf(await start(customer, amount), 201)
const cancel = ({ api }: Customer, id: string) => api.call(contract.cancelTransfer, { params: { id } })
const stateOf = async ({ api }: Customer, id: string) =>
  bodyOf(await api.call(contract.getTopUp, { params: { id } }), 200).status
const waitingOf = async ({ api }: Customer) =>
  bodyOf(await api.call(contract.listWaitingTransfers, { query: {} }), 200).items.map(({ id }) => id)
const confirm = ({ user_id }: Customer, id: string, key: string = randomUUID()) =>
  staff.api.call(contract.confirmTopUp, {
    params: { userId: user_id, id },
    headers: { 'idempotency-key': key },
    body: { reason: 'Statement 17' },
  })

/** The kinds of the mails about transfers that were queued, oldest first. */
async function mailsTo({ user_id }: Customer): Promise<string[]> {
  const rows = await test.app.db
    .selectFrom('mails')
    .select('letter')
    .where('user_id', '=', user_id)
    .where('letter', 'like', 'transfer%')
    .orderBy('created_at')
    .execute()
  return rows.map(({ letter }) => letter)
}

const passDays = (days: number, id: string) =>
  asOwner(test, "update top_ups set created_at = created_at - $1 * interval '1 day' where public_id = $2", [
    days,
    id,
  ])

it('F-01 lists the transfers that are waited for, newest first, to their customer alone', async () => {
  const [customer, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const [first, second] = [await announced(customer), await announced(customer, '9900')]
  await customer.api.call(contract.startTopUp, {
    headers: { 'idempotency-key': randomUUID() },
    body: { amount: '1000', provider: 'test' },
  })
  const { items } = bodyOf(await customer.api.call(contract.listWaitingTransfers, { query: {} }), 200)
  expect(items).toEqual([second, first])
  expect(await waitingOf(other)).toEqual([])
  expect(await cancel(other, first.id)).toMatchObject({ status: 404 })
  bodyOf(await confirm(customer, first.id), 201)
  expect(await waitingOf(customer)).toEqual([second.id])
})

// Red before this mail existed: a customer who closed the tab lost the reference.
it('mails what to write on the transfer at once, one mail however often the announcement is sent', async () => {
  const customer = await signedInCustomer(test, { locale: 'de' })
  const key = randomUUID()
  const { bank } = bodyOf(await start(customer, '2500', key), 201)
  await start(customer, '2500', key)
  expect(await mailsTo(customer)).toEqual(['transfer_announced'])
  const { text = '', subject } = await test.mails.next(customer.email)
  expect(subject).toContain(bank?.reference)
  for (const part of [bank?.reference, bank?.account, '25,00', '/account/finances?top_up='])
    expect(text).toContain(part)
})

it('reminds after a week, once, and ends after a month with a notice', async () => {
  const customer = await signedInCustomer(test)
  const { id } = await announced(customer)
  const after = async (days: number) => {
    await passDays(days, id)
    await Promise.all([processTransfers(test.app), processTransfers(test.app)])
    return [...(await mailsTo(customer)).slice(1), await stateOf(customer, id)]
  }
  expect(await after(6.9)).toEqual(['pending'])
  expect(await after(0.2)).toEqual(['transfer_missing', 'pending'])
  expect(await after(20)).toEqual(['transfer_missing', 'pending'])
  expect(await after(3)).toEqual(['transfer_missing', 'transfer_expired', 'expired'])
  expect(await waitingOf(customer)).toEqual([])
  expect(await cancel(customer, id)).toMatchObject({ status: 409, body: refusal(409, 'top_up_not_pending') })
})

it('a customer cancels a transfer, also with 10 requests at once, and then gets no reminder', async () => {
  const customer = await signedInCustomer(test)
  const { id } = await announced(customer)
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(customer, id)))
  expect(answers.map((answer) => bodyOf(answer, 200).status)).toEqual(Array(10).fill('cancelled'))
  await passDays(40, id)
  await processTransfers(test.app)
  expect([await stateOf(customer, id), await mailsTo(customer)]).toEqual([
    'cancelled',
    ['transfer_announced'],
  ])
})

it('money that arrives for a cancelled or expired transfer counts, and the audit records its state before', async () => {
  const customer = await signedInCustomer(test)
  const [cancelled, expired] = [await announced(customer), await announced(customer)]
  await cancel(customer, cancelled.id)
  await passDays(31, expired.id)
  await processTransfers(test.app)
  for (const { id } of [cancelled, expired]) {
    bodyOf(await confirm(customer, id), 201)
    expect(await stateOf(customer, id)).toBe('paid')
    expect(await confirm(customer, id)).toMatchObject({ status: 409 })
  }
  expect(await balanceOf(test.app, test.app.db, customer.user_id)).toBe(50_00n)
  const rows = await asOwner(
    test,
    "select detail ->> 'was' as was from audit where user_id = $1 and act = 'finance.confirmed' order by id",
    [customer.user_id],
  )
  expect(rows).toEqual([{ was: 'cancelled' }, { was: 'expired' }])
})

it('in either order of cancelling by the customer and confirming by staff, the money counts once and it ends as paid', async () => {
  const customer = await signedInCustomer(test)
  const transfers = await Promise.all(Array.from({ length: 6 }, () => announced(customer, '1000')))
  const outcomes = await Promise.all(
    transfers.map(async ({ id }) => {
      const key = randomUUID()
      const [confirmed, taken] = await Promise.all([
        untilAnswered(() => confirm(customer, id, key)),
        untilAnswered(() => cancel(customer, id)),
      ])
      return [confirmed.status, [200, 409].includes(taken.status), await stateOf(customer, id)]
    }),
  )
  expect(outcomes).toEqual(transfers.map(() => [201, true, 'paid']))
  expect(await balanceOf(test.app, test.app.db, customer.user_id)).toBe(6000n)
})

it('rule 33: a customer announces at most twenty at once, also in a race', async () => {
  const customer = await signedInCustomer(test)
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => {
      const key = randomUUID()
      return untilAnswered(() => start(customer, '1000', key))
    }),
  )
  const refused = answers.filter(({ status }) => status === (409 as number))
  expect(refused).toHaveLength(4)
  expect(refused[0]).toMatchObject({ body: refusal(409, 'too_many_transfers') })
  const [first = ''] = await waitingOf(customer)
  await cancel(customer, first)
  expect((await start(customer, '1000')).status).toBe(201)
})
