import { expect, it } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { deleteHost, updateHost } from '#features/hosts/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { editPlan } from '#features/licences/server/catalogue.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { buyer, doLicenceJobs, orderHost, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { renewTogether } from './renew.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const PRICE = 2368n

type Renewing = Customer & { hosts: string[]; days: number }

/** A customer with `count` hosts, each with a licence for a month and auto-renewal on, and with a balance of `left`. */
async function renewing(count: number, left: bigint): Promise<Renewing> {
  const customer = await buyer(test, left + BigInt(count) * PRICE)
  const hosts: string[] = []
  let days = 0
  for (let place = 0; place < count; place += 1) {
    const { id, licence } = bodyOf(await orderHost(customer, { name: 'otter' }), 201).host
    const params = { hostId: id }
    bodyOf(await customer.api.call(updateHost, { params, body: { auto_renew: true } }), 200)
    hosts.push(id)
    days = Math.round(licence.remaining_s / 86_400)
  }
  return { ...customer, hosts, days }
}

/** Lets time pass until `day` days before the end of licences that were bought now, and one minute more. */
const goTo = ({ days }: Renewing, day: number) => passTime(test, days - day + 1 / 1440)

const stepsOf = async (...customers: readonly { hosts: string[] }[]) => {
  const wanted = customers.flatMap(({ hosts }) => hosts)
  const rows = (await asOwner(
    test,
    'select id::text as host_id, public_id from hosts where public_id = any($1)',
    [wanted],
  )) as { host_id: string; public_id: string }[]
  return wanted.map((id) => must(rows.find(({ public_id }) => public_id === id)))
}

const costs = (price_net: bigint) =>
  transaction(test.app, 'system', (tx) => editPlan(tx, 'standard-month', { price_net }))

/** Everything written for a customer: balance, amounts of charges and invoices, and the kinds of the periods of each host. */
async function writtenFor({ user_id, api, hosts }: Renewing) {
  const query = { limit: '100' }
  const transactions = bodyOf(await api.call(listTransactions, { query }), 200).items
  const invoices = bodyOf(await api.call(listInvoices, { query }), 200).items
  const periods = await Promise.all(
    hosts.map(async (hostId) => {
      const reply = await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} })
      return reply.status === 200 ? reply.body.items.map(({ kind }) => kind).join() : reply.status
    }),
  )
  return {
    balance: await balanceOf(test.app, test.app.db, user_id),
    renewals: transactions
      .filter(({ type }) => type === 'inner_spending')
      .map(({ amount }) => BigInt(amount.amount)),
    invoices: invoices.length,
    periods,
  }
}

const once = 'auto_renewal,order'

it('renews licences of 5 customers in one transaction: lack of money or a deleted host stops no other, announced prices hold', async () => {
  const many = await renewing(3, 4n * PRICE)
  const poor = await renewing(1, PRICE - 1n)
  const half = await renewing(2, PRICE)
  const leaver = await renewing(1, PRICE)
  const announced = await renewing(1, PRICE)
  const all = [many, poor, half, leaver, announced]
  // The mails three days before the end name a price, and then the price rises.
  await goTo(many, 3)
  await doLicenceJobs(test)
  await costs(3000n)
  await passTime(test, 2)
  const steps = await stepsOf(...all)
  const params = { hostId: must(leaver.hosts[0]) }
  expect((await leaver.api.call(deleteHost, { params, query: { name: 'otter' } })).status).toBe(204)

  const left = await renewTogether(test.app, steps)

  const ofPublic = (one: { host_id: string }) =>
    must(steps.find(({ host_id }) => host_id === one.host_id)).public_id
  expect(left.map(ofPublic)).toEqual([poor.hosts[0], half.hosts[1], leaver.hosts[0]])
  const expected = [
    { balance: PRICE, renewals: [-PRICE, -PRICE, -PRICE], invoices: 6, periods: [once, once, once] },
    { balance: PRICE - 1n, renewals: [], invoices: 1, periods: ['order'] },
    { balance: 0n, renewals: [-PRICE], invoices: 3, periods: [once, 'order'] },
    { balance: PRICE, renewals: [], invoices: 1, periods: [404] },
    { balance: 0n, renewals: [-PRICE], invoices: 2, periods: [once] },
  ]
  expect(await Promise.all(all.map(writtenFor))).toEqual(expected)
  expect(await mistakesIn(test)).toEqual([])

  // The same batch runs again, as after a kill before its jobs were noted as done; then the queue does the jobs that are left.
  expect(await renewTogether(test.app, steps)).toEqual(steps)
  await doLicenceJobs(test)
  expect(await Promise.all(all.map(writtenFor))).toEqual(expected)
  const mails = await test.app.db
    .selectFrom('mails')
    .select('user_id')
    .where('letter', '=', 'renewal_failed')
    .execute()
  expect([mails.length, new Set(mails.map(({ user_id }) => user_id))]).toEqual([
    2,
    new Set([poor.user_id, half.user_id]),
  ])
  expect((await checkLedger(test.app.ownerUrl)).damages).toEqual([])
  const gaps = await asOwner(
    test,
    'select year from invoices group by year having max(place) <> count(*) or count(distinct number) <> count(*)',
  )
  expect(gaps).toEqual([])
  await costs(1990n)
})

it('leaves a host alone that somebody else has locked, and goes on with the others', async () => {
  const [held, free] = [await renewing(1, PRICE), await renewing(1, PRICE)]
  await goTo(held, 1)
  const steps = await stepsOf(held, free)
  await withConnection(test.app.ownerUrl, async (client) => {
    await client.query(`begin; select set_config('app.actor', 'system', true)`)
    await client.query('select from hosts where id = $1 for update', [steps[0]?.host_id])
    // Seen red while the batch waited for the lock: after two seconds no host was renewed.
    expect(await renewTogether(test.app, steps)).toEqual([steps[0]])
  })
  expect([(await writtenFor(held)).balance, (await writtenFor(free)).balance]).toEqual([PRICE, 0n])
})

it('batches beside each other, with orders and top-ups of the same customers: none is lost, none doubled', async () => {
  const customers = await Promise.all(Array.from({ length: 6 }, () => renewing(3, 4n * PRICE)))
  await goTo(must(customers[0]), 1)
  const steps = await stepsOf(...customers)
  const batches = [steps, steps.toReversed(), steps.filter((_, place) => place % 2 === 0)]
  const orders = customers.map(async (customer) => {
    const { status } = await orderHost(customer)
    expect(status).toBe(201)
    await addMoney(test.app, customer.user_id, 7n)
  })
  await Promise.all([...batches.map((batch) => renewTogether(test.app, batch)), ...orders])
  await doLicenceJobs(test)
  for (const customer of customers)
    expect(await writtenFor(customer)).toMatchObject({
      balance: 7n,
      invoices: 7,
      periods: [once, once, once],
    })
  expect(await mistakesIn(test)).toEqual([])
  expect((await checkLedger(test.app.ownerUrl)).damages).toEqual([])
})
