import { expect, it } from 'vitest'
import { balanceOf } from '#features/finance/server/finance.ts'
import { getFinances } from '#features/finance/contract.ts'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import * as contract from '#features/licences/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { editPlan } from '#features/licences/server/catalogue.ts'
import type { Locale } from '#foundation/locale.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { addMoney } from '#tests/harness/money.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import {
  anyAddress,
  buyer,
  doLicenceJobs,
  orderHost,
  orderLicence,
  passTime,
  stockShop,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)
const PRICE = 2368n

type Host = Customer & { hostId: string; days: number }

const setRenewal = async ({ api, hostId }: Pick<Host, 'api' | 'hostId'>, auto_renew: boolean) =>
  bodyOf(await api.call(updateHost, { params: { hostId }, body: { auto_renew } }), 200)

/** A host with a month of licence, and the given balance left after it. */
async function licensed(
  left: bigint,
  {
    renews = true,
    locale = 'en',
    plan = 'standard-month',
  }: { renews?: boolean; locale?: Locale; plan?: string } = {},
): Promise<Host> {
  const customer = await buyer(test, left + (plan === 'standard-month' ? PRICE : 6426n), locale)
  const { host } = bodyOf(await orderHost(customer, { plan, name: 'otter' }), 201)
  const hostId = host.id
  if (renews) await setRenewal({ ...customer, hostId }, true)
  return { ...customer, hostId, days: Math.round(host.licence.remaining_s / 86_400) }
}

const hostOf = async ({ api, hostId }: Host) => bodyOf(await api.call(getHost, { params: { hostId } }), 200)

const kindsOf = async ({ api, hostId }: Host) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items.map(
    ({ kind }) => kind,
  )

/** The subjects of the queued mails to this customer about licences, oldest first; none is sent while no worker runs. */
async function mailsTo({ user_id }: Customer): Promise<string[]> {
  const rows = await test.app.db
    .selectFrom('mails')
    .select('letter')
    .where('user_id', '=', user_id)
    .where('letter', 'not like', 'invoice%')
    .orderBy('created_at')
    .execute()
  return rows.map(({ letter }) => letter)
}

/** Lets time pass until `day` days after the first end of the licence (before it, if negative) and one minute more, and does the jobs. */
async function goTo(host: Host, state: { at: number }, day: number): Promise<void> {
  const days = host.days + day + 1 / 1440
  await passTime(test, days - state.at)
  state.at = days
  await doLicenceJobs(test)
}

const beginning = () => ({ at: 0 })

it('rule 31: without automatic renewal there are mails 7, 3 and 1 days before and at the end, and no charge', async () => {
  const host = await licensed(5n * PRICE, { renews: false })
  const clock = beginning()
  const told: Record<number, string[]> = {}
  for (const day of [-8, -7, -6, -3, -2, -1, 0, 1, 2, 3, 4]) {
    await goTo(host, clock, day)
    told[day] = (await mailsTo(host)).slice(Object.values(told).flat().length)
  }
  expect(told).toEqual({
    [-8]: [],
    [-7]: ['licence_ends_soon'],
    [-6]: [],
    [-3]: ['licence_ends_soon'],
    [-2]: [],
    [-1]: ['licence_ends_soon'],
    0: ['licence_ended'],
    1: [],
    2: [],
    3: [],
    4: [],
  })
  expect(await kindsOf(host)).toEqual(['order'])
  expect((await hostOf(host)).licence.status).toBe('expired')
})

it('rule 31: charges a day before the end, from which the new term runs, and starts the steps again', async () => {
  const host = await licensed(2n * PRICE)
  const end = (await hostOf(host)).licence.paid_until
  const clock = beginning()
  for (const day of [-7, -3, -2]) await goTo(host, clock, day)
  expect(await kindsOf(host)).toEqual(['order'])
  expect(await mailsTo(host)).toEqual(['licence_renews_soon', 'licence_renews_soon'])
  await goTo(host, clock, -1)
  expect(await kindsOf(host)).toEqual(['auto_renewal', 'order'])
  expect(await balanceOf(test.app, test.app.db, host.user_id)).toBe(PRICE)
  const { licence, auto_renew } = await hostOf(host)
  expect(auto_renew).toBe(true)
  // The clock was moved, so the old end is the same number of days earlier.
  const moved = Date.parse(end ?? '') - clock.at * 86_400_000
  const { items } = bodyOf(
    await host.api.call(sales.listPaidPeriods, { params: { hostId: host.hostId }, query: {} }),
    200,
  )
  expect(Date.parse(items[0]?.starts_at ?? '')).toBe(moved)
  expect(items[0]?.ends_at).toBe(licence.paid_until)
  const length = (Date.parse(items[0]?.ends_at ?? '') - moved) / 86_400_000
  await goTo(host, clock, length - 0.5)
  expect(await kindsOf(host)).toEqual(['auto_renewal', 'auto_renewal', 'order'])
})

it('rule 31: tries each day until three days after the end, then switches itself off and notifies the customer', async () => {
  const host = await licensed(PRICE - 1n)
  const clock = beginning()
  for (const day of [-7, -1, 0, 1, 2]) await goTo(host, clock, day)
  expect((await hostOf(host)).auto_renew).toBe(true)
  await goTo(host, clock, 3)
  expect((await hostOf(host)).auto_renew).toBe(false)
  expect(await mailsTo(host)).toEqual([
    'licence_renews_soon',
    'renewal_failed',
    'licence_ended',
    'renewal_given_up',
  ])
  expect(await kindsOf(host)).toEqual(['order'])
  expect(await balanceOf(test.app, test.app.db, host.user_id)).toBe(PRICE - 1n)
})

it('renews from now when the money comes after the end, as soon as the balance rises', async () => {
  const host = await licensed(0n)
  const clock = beginning()
  for (const day of [-1, 0, 1]) await goTo(host, clock, day)
  expect((await hostOf(host)).licence.status).toBe('expired')
  await addMoney(test.app, host.user_id, PRICE)
  await doLicenceJobs(test)
  const { licence } = await hostOf(host)
  expect(licence.status).toBe('active')
  expect(licence.remaining_s).toBeGreaterThan(27 * 86_400)
  expect(await kindsOf(host)).toEqual(['auto_renewal', 'order'])
  expect(await balanceOf(test.app, test.app.db, host.user_id)).toBe(0n)
})

it('a rise of the balance renews nothing before its day', async () => {
  const host = await licensed(0n)
  await goTo(host, beginning(), -2)
  await addMoney(test.app, host.user_id, 10n * PRICE)
  await doLicenceJobs(test)
  expect(await kindsOf(host)).toEqual(['order'])
})

it('switched on within the last day, renews at once; after the end, it waits for the customer', async () => {
  const host = await licensed(3n * PRICE, { renews: false })
  await goTo(host, beginning(), -0.5)
  await setRenewal(host, true)
  await doLicenceJobs(test)
  expect(await kindsOf(host)).toEqual(['auto_renewal', 'order'])

  const ended = await licensed(3n * PRICE, { renews: false })
  const clock = beginning()
  await goTo(ended, clock, 0.5)
  await setRenewal(ended, true)
  for (const day of [1, 2, 3, 4]) await goTo(ended, clock, day)
  expect(await kindsOf(ended)).toEqual(['order'])
})

it('switched off, tries no more, though a try has failed before', async () => {
  const host = await licensed(0n)
  const clock = beginning()
  await goTo(host, clock, -1)
  await setRenewal(host, false)
  await addMoney(test.app, host.user_id, 10n * PRICE)
  for (const day of [0, 1, 2, 3]) await goTo(host, clock, day)
  expect(await kindsOf(host)).toEqual(['order'])
  expect((await mailsTo(host)).at(-1)).toBe('licence_ended')
})

it('rule 31: after a manual renewal the old end is forgotten: no mail and no charge for it', async () => {
  const host = await licensed(9n * PRICE)
  const clock = beginning()
  await goTo(host, clock, -2)
  const before = await mailsTo(host)
  bodyOf(await orderLicence(host, host.hostId), 201)
  for (const day of [-1, 0, 1, 2, 3]) await goTo(host, clock, day)
  expect(await kindsOf(host)).toEqual(['renewal', 'order'])
  expect(await mailsTo(host)).toEqual(before)
})

// Seen red with one mail for each step: three mails at once, one of which announced an end that was already past.
it('after days without a worker one mail reports the state, and a missed renewal is made up for', async () => {
  const ended = await licensed(0n, { renews: false })
  await goTo(ended, beginning(), 1.5)
  expect(await mailsTo(ended)).toEqual(['licence_ended'])
  const late = await licensed(PRICE)
  await goTo(late, beginning(), 10)
  expect(await kindsOf(late)).toEqual(['auto_renewal', 'order'])
  expect((await hostOf(late)).licence.status).toBe('active')
  expect(await mailsTo(late)).toEqual([])
})

it('lists upcoming charges, earliest first, and how the balance may be topped up', async () => {
  const later = await licensed(50_000n, { plan: 'standard-quarter' })
  const { host } = bodyOf(await orderHost(later, { ipv4: anyAddress() }), 201)
  await setRenewal({ api: later.api, hostId: host.id }, true)
  const { upcoming, top_up } = bodyOf(await later.api.call(getFinances, {}), 200)
  expect(upcoming.map(({ host_id }) => host_id)).toEqual([host.id, later.hostId])
  expect(top_up).toMatchObject({
    providers: ['test', 'bank'],
    min: { amount: '500' },
    max: { amount: '500000' },
  })
})

it("charges the plan's price of that day, also if it is retired", async () => {
  const host = await licensed(50_000n, { plan: 'standard-quarter' })
  await transaction(test.app, 'system', (tx) =>
    editPlan(tx, 'standard-quarter', { price_net: 6000n, is_active: false }),
  )
  const customer = await buyer(test, 50_000n)
  expect((await orderHost(customer, { plan: 'standard-quarter' })).status).toBe(400)
  await goTo(host, beginning(), -1)
  expect(await balanceOf(test.app, test.app.db, host.user_id)).toBe(50_000n - 7140n)
  const query = { host: host.hostId }
  const offered = bodyOf(await host.api.call(contract.listPlans, { query }), 200).items
  expect(offered.map(({ slug }) => slug)).toContain('standard-quarter')
  expect((await orderLicence(host, host.hostId, { plan: 'standard-quarter', total: 7140n })).status).toBe(201)
})

it('adds the next charge to the finances, with the time until which the balance lasts', async () => {
  const host = await licensed(PRICE)
  await licensed(PRICE)
  const body = bodyOf(await host.api.call(getFinances, {}), 200)
  const end = Date.parse((await hostOf(host)).licence.paid_until ?? '')
  expect(body.upcoming).toEqual([
    {
      host_id: host.hostId,
      host_name: 'otter',
      due_at: new Date(end - 86_400_000).toISOString(),
      total: { amount: '2368', currency: 'EUR' },
    },
  ])
  // The balance pays for the next term, and the one after it falls due a month later.
  expect(Date.parse(body.lasts_until ?? '') - end).toBeGreaterThan(26 * 86_400_000)
  await setRenewal(host, false)
  expect(bodyOf(await host.api.call(getFinances, {}), 200)).toMatchObject({ upcoming: [], lasts_until: null })
})

it('G-01 writes to each in their language, with the way to the server or to the balance', async () => {
  const german = await licensed(0n, { locale: 'de' })
  await goTo(german, beginning(), -7)
  const soon = await test.mails.next(german.email)
  expect(soon.subject).toMatch(/^Rechnung|Bitte laden Sie auf: Die Lizenz von otter/)
  const letters = [soon, await test.mails.next(german.email)].map(({ text }) => text ?? '')
  expect(letters.join('\n')).toContain('23,68')
  expect(letters.join('\n')).toContain('/account/finances')
})

it('rule 31: open pages are notified within 2 s of the end, by the worker and the clock of the database', async () => {
  const host = await licensed(0n, { renews: false })
  await test.startWorker()
  await passTime(test, host.days - 1 / 86_400)
  // The queue sleeps until the time of the next job that it knows; any new job wakes it.
  const stream = await openEvents(test.url, host.api.access_token ?? '')
  const took = ownClock()
  const customer = await buyer(test, PRICE)
  await orderHost(customer, { ipv4: anyAddress() })
  await stream.until(({ type, data }) => type === 'host.changed' && data['host_id'] === host.hostId)
  expect(took()).toBeLessThan(5000)
  stream.close()
})
