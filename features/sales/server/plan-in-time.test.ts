import { expect, it } from 'vitest'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import { getFinances } from '#features/finance/contract.ts'
import { bookRefund } from './book-refund.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import { editPlan } from '#features/licences/server/catalogue.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { openEvents } from '#tests/harness/events.ts'
import { checkIn, judge, tokenFor } from '#tests/harness/agents.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { planMistakes } from '#tests/harness/plans-in-time.ts'
import {
  buyer,
  doLicenceJobs,
  orderHost,
  orderLicence,
  passTime,
  stockShop,
  type Slug,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)

/** A host that was ordered with the first plan and renewed with each of the others. */
async function licensed(first: Slug, ...others: Slug[]) {
  const customer = await buyer(test, 200_000n)
  const ordered = bodyOf(await orderHost(customer, { plan: first }), 201)
  const paid_by = [ordered.transaction.id]
  for (const plan of others)
    paid_by.push(bodyOf(await orderLicence(customer, ordered.host.id, { plan }), 201).transaction.id)
  return { ...customer, hostId: ordered.host.id, paid_by }
}

const licenceOf = async ({ api, hostId }: { api: Customer['api']; hostId: string }) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200).licence

// Seen red while the host copied the last order: page, API and document had `standard-month` for thirteen
// months.
it('H-01 a plan that was renewed for later counts from its own period on, in API, document and agent', async () => {
  const host = await licensed('standard-year', 'standard-month')
  const agent = await tokenFor(host.api, host.hostId)
  const planOfAgent = async () => (await judge(test, bodyOf(await checkIn(test, agent), 200).licence)).plan
  const begins = await licenceOf(host)
  expect(begins).toMatchObject({
    plan: { slug: 'standard-year' },
    term: 'P1Y',
    price: { amount: '23681' },
    next: { plan: { slug: 'standard-month' } },
    renewal_plan: { slug: 'standard-month' },
  })
  const { items } = bodyOf(
    await host.api.call(listPaidPeriods, { params: { hostId: host.hostId }, query: {} }),
    200,
  )
  expect(begins.next?.starts_at).toBe(items[0]?.starts_at)
  expect(await planOfAgent()).toBe('standard-year')
  expect(await planMistakes(test, host)).toEqual([])
  await passTime(test, 360)
  // A document issued now outlives the change: it names both plans, each with its time.
  expect(await planMistakes(test, host)).toEqual([])
  await passTime(test, 6)
  expect(await licenceOf(host)).toMatchObject({ plan: { slug: 'standard-month' }, term: 'P1M', next: null })
  expect(await planOfAgent()).toBe('standard-month')
  expect(await planMistakes(test, host)).toEqual([])
})

it('H-01 a paid month stays what it is when a year of another plan follows', async () => {
  const host = await licensed('standard-month', 'standard-year')
  expect((await licenceOf(host)).plan?.slug).toBe('standard-month')
  expect(await planMistakes(test, host)).toEqual([])
})

it('H-02 a refunded period counts no more: the plan after it moves up', async () => {
  const host = await licensed('standard-month', 'standard-year', 'standard-quarter')
  const refund = (place: number) =>
    transaction(test.app, 'system', (tx) =>
      bookRefund(test.app, tx, {
        user_id: host.user_id,
        transaction_id: must(host.paid_by[place]),
        reason: 'x',
      }),
    )
  await refund(1)
  expect(await licenceOf(host)).toMatchObject({
    plan: { slug: 'standard-month' },
    next: { plan: { slug: 'standard-quarter' } },
  })
  expect(await planMistakes(test, host)).toEqual([])
  await refund(0)
  expect(await licenceOf(host)).toMatchObject({ plan: { slug: 'standard-quarter' }, next: null })
  expect(await planMistakes(test, host)).toEqual([])
})

it('the automatic renewal buys the plan at the end of the paid time, and the mails name it', async () => {
  const host = await licensed('standard-year', 'standard-month')
  await host.api.call(updateHost, { params: { hostId: host.hostId }, body: { auto_renew: true } })
  const days = (await licenceOf(host)).remaining_s / 86_400
  await passTime(test, days - 0.9)
  await doLicenceJobs(test)
  const { items } = bodyOf(
    await host.api.call(listPaidPeriods, { params: { hostId: host.hostId }, query: {} }),
    200,
  )
  expect(items[0]).toMatchObject({ kind: 'auto_renewal', term: 'P1M' })
})

// Seen red: the mail announced 23.68 and the balance was charged 35.70.
it('rule 46: the automatic renewal charges at most what its mails announced, and less if it is cheaper now', async () => {
  const costs = (price_net: bigint) =>
    transaction(test.app, 'system', (tx) => editPlan(tx, 'standard-month', { price_net }))
  const host = await licensed('standard-month')
  await host.api.call(updateHost, { params: { hostId: host.hostId }, body: { auto_renew: true } })
  const goTo = async (daysBefore: number) => {
    await passTime(test, (await licenceOf(host)).remaining_s / 86_400 - daysBefore)
    await doLicenceJobs(test)
  }
  const lastPaid = async () =>
    bodyOf(await host.api.call(listPaidPeriods, { params: { hostId: host.hostId }, query: {} }), 200).items[0]
  try {
    await goTo(6.9)
    await costs(3000n)
    await goTo(2.9)
    await goTo(0.9)
    expect(await lastPaid()).toMatchObject({ kind: 'auto_renewal', total: { amount: '2368' } })
    await goTo(6.9)
    const { upcoming } = bodyOf(await host.api.call(getFinances, {}), 200)
    expect(upcoming).toMatchObject([{ total: { amount: '3570' } }])
    await costs(1000n)
    await goTo(0.9)
    expect(await lastPaid()).toMatchObject({ kind: 'auto_renewal', total: { amount: '1190' } })
  } finally {
    await costs(1990n)
  }
})

// Seen red while the views read the order: after an upgrade, or any change of a period, they named another plan than the page.
it('L-10 announcements, renewals and their price take the plan of the period, not of an order or a server', async () => {
  const { api, user_id, hostId } = await licensed('standard-month')
  await api.call(updateHost, { params: { hostId }, body: { auto_renew: true } })
  await asOwner(
    test,
    `update paid_periods set plan = 'standard-quarter', term = 'P3M' where host_id = (select id from hosts where public_id = $1)`,
    [hostId],
  )
  const seen = await asOwner(
    test,
    `select (select plan from announcement_hosts where user_id = h.user_id) as announced, r.plan as renewed, d.net::int as net
     from hosts h join plan_renewals r on r.host_id = h.id join due_renewals d on d.host_id = h.id where h.user_id = $1`,
    [user_id],
  )
  expect(seen).toEqual([{ announced: 'standard-quarter', renewed: 'standard-quarter', net: 5400 }])
  const copies = await asOwner(
    test,
    `select column_name from information_schema.columns
     where table_name = 'hosts' and column_name in ('plan', 'plan_name', 'price', 'currency', 'term', 'edition', 'ordered_at')`,
  )
  expect(copies, 'a server keeps no copy of what was bought').toEqual([])
})

// This test is the last, for its worker would do the jobs of every test after it.
it('rule 31: open pages are notified when the plan changes', async () => {
  const host = await licensed('standard-month', 'standard-quarter')
  const days = Math.ceil(((await licenceOf(host)).remaining_s - 92 * 86_400) / 86_400) + 1
  await passTime(test, days - 2)
  await doLicenceJobs(test)
  const stream = await openEvents(test.url, host.api.access_token ?? '')
  await passTime(test, 3)
  await test.startWorker()
  // The queue sleeps until the time of the next job that it knows; any new job wakes it.
  await orderHost(await buyer(test, 5000n))
  await stream.until(({ type, data }) => type === 'host.changed' && data['host_id'] === host.hostId, 8000)
  stream.close()
  expect((await licenceOf(host)).plan?.slug).toBe('standard-quarter')
})
