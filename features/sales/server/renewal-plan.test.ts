import { expect, it } from 'vitest'
import { getFinances } from '#features/finance/contract.ts'
import { bookRefund } from './book-refund.ts'
import { deleteHost, getHost, updateHost } from '#features/hosts/contract.ts'
import * as catalogue from '#features/catalogue/contract.ts'
import * as sales from '#features/sales/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { bulk } from '#tests/harness/bulk.ts'
import type { Reply } from '#tests/harness/client.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { planMistakes } from '#tests/harness/plans-in-time.ts'
import { buyer, doLicenceJobs, orderHost, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { transferred } from '#tests/harness/transfers.ts'
import { doMoves, planMove, takeMoveBack, tellMove } from './plan-moves.ts'
import { addPlan, editPlan } from '#features/licences/server/catalogue.ts'
import { claimUnnoticed, findRise } from '#features/licences/server/price-rise-queries.ts'
import { dueRenewals } from '#features/licences/server/report-queries.ts'
import { suspend } from '#features/licences/server/suspensions.ts'

const test = await startTestApp({ settings: { STAFF_APPROVALS: 'off' } })
const { app } = test
await stockShop(test)
const sell = (slug: string, price_net: bigint) =>
  transaction(app, 'system', (tx) =>
    addPlan(tx, {
      slug,
      name: { en: `${slug} en`, de: `${slug} de`, ru: `${slug} ru` },
      term: 'P1M',
      price_net,
    }),
  )
await sell('business', 4990n)
await sell('lite', 990n)
await sell('old', 500n)
await sell('rising', 1000n)

const hostOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(getHost, { params: { hostId } }), 200)
const lastPaid = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items[0]
const previewAtEnd = ({ api }: Customer, hostId: string, plan: string) =>
  api.call(sales.previewUpgrade, { params: { hostId }, body: { plan, when: 'end' } })
const choose = (
  { api }: Customer,
  hostId: string,
  plan: string,
  total: bigint,
  { from = 'standard-month', auto_renew }: { from?: string; auto_renew?: boolean } = {},
) =>
  api.call(sales.chooseRenewalPlan, {
    params: { hostId },
    body: {
      plan,
      from,
      expected_total: toMoney(total, 'EUR'),
      ...(auto_renew !== undefined && { auto_renew }),
    },
  })

/** A customer whose server has a month of Standard and renews itself. */
async function renewing(money = 100_000n) {
  const customer = await buyer(test, money)
  const { host, transaction: paid } = bodyOf(await orderHost(customer), 201)
  const hostId = host.id
  await customer.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } })
  return { customer, hostId, paid }
}
const goTo = async (customer: Customer, hostId: string, daysBefore: number) => {
  await passTime(test, (await hostOf(customer, hostId)).licence.remaining_s / 86_400 - daysBefore)
  await doLicenceJobs(test)
}
it('L-19 a plan at the end costs nothing now, is announced and charged by the renewal, and then runs', async () => {
  const { customer, hostId } = await renewing()
  expect(bodyOf(await previewAtEnd(customer, hostId, 'lite'), 200)).toMatchObject({
    periods: [],
    pay_now: { amount: '0' },
    renewal: { amount: '1178' },
  })
  const chosen = bodyOf(await choose(customer, hostId, 'lite', 1178n), 200)
  expect(chosen.licence).toMatchObject({
    plan: { slug: 'standard-month' },
    next: null,
    renewal_plan: { slug: 'lite', name: { de: 'lite de' } },
  })
  const finances = bodyOf(await customer.api.call(getFinances, {}), 200)
  expect(finances.upcoming).toMatchObject([{ total: { amount: '1178' } }])
  const days = await dueRenewals(app.db, { days: 40, time_zone: 'UTC' })
  expect(days.reduce((sum, { covered_total }) => sum + covered_total, 0n)).toBe(1178n)
  await goTo(customer, hostId, 6.9)
  await goTo(customer, hostId, 0.9)
  expect(await lastPaid(customer, hostId)).toMatchObject({ kind: 'auto_renewal', total: { amount: '1178' } })
  const renewed = await hostOf(customer, hostId)
  expect(renewed.licence).toMatchObject({
    plan: { slug: 'standard-month' },
    next: { plan: { slug: 'lite' } },
    renewal_plan: { slug: 'lite' },
  })
  expect(await asOwner(test, 'select * from licence_settings', [])).toEqual([])
  await passTime(test, 1)
  await doLicenceJobs(test)
  expect((await hostOf(customer, hostId)).licence).toMatchObject({ plan: { slug: 'lite' }, next: null })
  expect(await mistakesIn(test)).toEqual([])
  expect(await planMistakes(test, customer)).toEqual([])
  const acts = bodyOf(await customer.api.call(listActivity, { query: {} }), 200).items
  expect(acts.map(({ act }) => act)).toContain('licence.renewal_plan_chosen')
})

it('L-19 the present plan takes the choice back; another tab and another price are refused with what is now', async () => {
  const { customer, hostId } = await renewing()
  bodyOf(await choose(customer, hostId, 'business', 5938n, { auto_renew: false }), 200)
  expect((await hostOf(customer, hostId)).auto_renew).toBe(false)
  expect(await choose(customer, hostId, 'lite', 1178n)).toMatchObject({
    status: 409,
    body: { ...refusal(409, 'changed'), present: { licence: { renewal_plan: { slug: 'business' } } } },
  })
  expect(await choose(customer, hostId, 'lite', 1n, { from: 'business' })).toMatchObject({
    status: 409,
    body: { ...refusal(409, 'price_changed'), preview: { renewal: { amount: '1178' } } },
  })
  const back = bodyOf(await choose(customer, hostId, 'standard-month', 2368n, { from: 'business' }), 200)
  expect(back.licence.renewal_plan?.slug).toBe('standard-month')
  expect(back.auto_renew).toBe(false)
  expect((await choose(customer, hostId, 'none', 1n)).body).toMatchObject(
    refusal(400, 'unknown_plan', 'plan'),
  )
  const free = await buyer(test, 5000n)
  const { host } = bodyOf(await orderHost(free), 201)
  await passTime(test, 40)
  expect((await choose(free, host.id, 'lite', 1178n)).body).toMatchObject(refusal(409, 'licence_not_running'))
})

it('L-19 after the mails for another plan the price that was chosen counts, not the one they named', async () => {
  const { customer, hostId } = await renewing()
  await goTo(customer, hostId, 6.9)
  bodyOf(await choose(customer, hostId, 'business', 5938n), 200)
  await goTo(customer, hostId, 0.9)
  expect(await lastPaid(customer, hostId)).toMatchObject({ kind: 'auto_renewal', total: { amount: '5938' } })
})

it('L-19 a cheaper plan is tried at once where the balance did not cover the one before', async () => {
  const { customer, hostId } = await renewing(2368n + 1178n)
  await goTo(customer, hostId, 0.9)
  expect((await lastPaid(customer, hostId))?.kind).toBe('order')
  bodyOf(await choose(customer, hostId, 'lite', 1178n), 200)
  await doLicenceJobs(test)
  expect(await lastPaid(customer, hostId)).toMatchObject({ kind: 'auto_renewal', total: { amount: '1178' } })
})

it('L-19 a plan that is stopped later stays the choice, but nobody else can choose it', async () => {
  const { customer, hostId } = await renewing()
  bodyOf(await choose(customer, hostId, 'old', 595n), 200)
  await transaction(app, 'system', (tx) => editPlan(tx, 'old', { is_active: false }))
  const other = await renewing()
  expect((await choose(other.customer, other.hostId, 'old', 595n)).body).toMatchObject(
    refusal(400, 'unknown_plan', 'plan'),
  )
  await goTo(customer, hostId, 0.9)
  expect(await lastPaid(customer, hostId)).toMatchObject({ kind: 'auto_renewal', total: { amount: '595' } })
})

it('L-19 a suspended server may choose, but is not renewed', async () => {
  const { customer, hostId } = await renewing()
  await suspend(app, {}, hostId, { reason: 'abuse', text: '', note: 'x' })
  bodyOf(await choose(customer, hostId, 'lite', 1178n), 200)
  await goTo(customer, hostId, 0.9)
  expect((await lastPaid(customer, hostId))?.kind).toBe('order')
  expect((await hostOf(customer, hostId)).licence.renewal_plan?.slug).toBe('lite')
})

it('L-19 renewing by hand, an upgrade and a refund of all take the place of the choice', async () => {
  const { customer, hostId } = await renewing()
  bodyOf(await choose(customer, hostId, 'lite', 1178n), 200)
  const renewed = bodyOf(await orderLicence(customer, hostId, { plan: 'standard-quarter' }), 201)
  expect(renewed.host.licence.renewal_plan?.slug).toBe('standard-quarter')
  const other = await renewing()
  bodyOf(await choose(other.customer, other.hostId, 'lite', 1178n), 200)
  await transaction(app, 'system', (tx) =>
    bookRefund(app, tx, {
      user_id: other.customer.user_id,
      transaction_id: other.paid.id,
      reason: 'all of it',
    }),
  )
  expect((await hostOf(other.customer, other.hostId)).licence.renewal_plan?.slug).toBe('standard-month')
  const third = await renewing()
  bodyOf(await choose(third.customer, third.hostId, 'lite', 1178n), 200)
  const { pay_now, as_of } = bodyOf(
    await third.customer.api.call(sales.previewUpgrade, {
      params: { hostId: third.hostId },
      body: { plan: 'business' },
    }),
    200,
  )
  const { host } = bodyOf(
    await third.customer.api.call(sales.upgradeLicence, {
      params: { hostId: third.hostId },
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { plan: 'business', expected_total: pay_now, as_of },
    }),
    201,
  )
  expect(host.licence.renewal_plan?.slug).toBe('business')
})

// Seen red for many servers: the choice stayed, and would still have counted after an order of another plan.
it.each<[string, (customer: Customer, hostId: string) => Promise<Reply>]>([
  ['one server', (customer, hostId) => choose(customer, hostId, 'standard-month', 2368n)],
  [
    'many servers',
    (customer, hostId) => bulk(customer, { act: 'renewal_plan', host_ids: [hostId], plan: 'standard-month' }),
  ],
])('L-19 a choice that a refund has made the plan of the end is taken back for %s', async (_name, act) => {
  const { customer, hostId } = await renewing()
  const quarter = bodyOf(await orderLicence(customer, hostId, { plan: 'standard-quarter' }), 201)
  bodyOf(await choose(customer, hostId, 'standard-month', 2368n, { from: 'standard-quarter' }), 200)
  await transaction(app, 'system', (tx) =>
    bookRefund(app, tx, {
      user_id: customer.user_id,
      transaction_id: quarter.transaction.id,
      reason: 'ordered by mistake',
    }),
  )
  const choices = () =>
    asOwner(test, 'select renewal_plan from licence_settings where user_id = $1', [customer.user_id])
  expect(await choices()).toEqual([{ renewal_plan: 'standard-month' }])
  expect((await act(customer, hostId)).status).toBe(200)
  expect(await choices()).toEqual([])
})

it('L-19 a price rise is mailed to those who renew with the plan, not to those who have it until then', async () => {
  const { customer, hostId } = await renewing()
  bodyOf(await choose(customer, hostId, 'rising', 1190n), 200)
  await transaction(app, 'system', (tx) => editPlan(tx, 'rising', { price_net: 2000n }))
  const [newest] = (await asOwner(
    test,
    `select max(id)::text as id from plan_prices where plan = 'rising'`,
    [],
  )) as { id: string }[]
  const rise = await findRise(app.db, 'rising', BigInt(must(newest).id))
  expect(rise).toMatchObject({ before: 1000n, net: 2000n })
  const told = await transaction(app, 'system', (tx) => claimUnnoticed(tx, must(rise), 10))
  expect(told.map(({ public_id }) => public_id)).toEqual([hostId])
  await customer.api.call(deleteHost, { params: { hostId }, query: { name: 'shop' } })
  expect(
    await asOwner(test, 'select * from licence_settings where user_id = $1', [customer.user_id]),
  ).toEqual([])
})

it('L-20 servers of a retired plan renew with another after 30 days of notice, for no more than the mail said, unless they chose otherwise', async () => {
  for (const slug of ['gone', 'heir']) await sell(slug, slug === 'gone' ? 990n : 2000n)
  const { api: staff } = await signedInStaff(test, { roles: ['admin'] })
  const [params, body] = [{ slug: 'gone' }, { to: 'heir' }]
  const move = () => staff.call(catalogue.movePlanCustomers, { params, body })
  expect((await move()).body).toMatchObject(refusal(409, 'plan_on_sale'))
  const renewingGone = async () => {
    const customer = await buyer(test, 100_000n)
    const hostId = bodyOf(await orderHost(customer, { plan: 'gone', total: 1178n }), 201).host.id
    await customer.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } })
    return { customer, hostId }
  }
  const [moved, other] = [await renewingGone(), await renewingGone()]
  await transaction(app, 'system', (tx) => editPlan(tx, 'gone', { is_active: false }))
  expect(
    await staff.call(catalogue.movePlanCustomers, { params, body: { to: 'standard-quarter' } }),
  ).toMatchObject({
    status: 400,
    body: refusal(400, 'unknown_plan', 'to'),
  })
  const soon = new Date(Date.now() + 29 * 86_400_000).toISOString()
  expect(
    (await staff.call(catalogue.movePlanCustomers, { params, body: { to: 'heir', from: soon } })).body,
  ).toMatchObject(refusal(400, 'too_soon', 'from'))
  const shown = bodyOf(await staff.call(catalogue.previewPlanMove, { params, query: body }), 200)
  expect(shown).toMatchObject({
    hosts: 2,
    customers: 2,
    price_net_before: { amount: '990' },
    price_net: { amount: '2000' },
  })
  expect(bodyOf(await move(), 201).moves?.to).toBe('heir')
  expect((await move()).body).toMatchObject(refusal(409, 'move_planned'))
  const tell = async () => {
    const [last] = (await asOwner(test, 'select max(id)::text as id from plan_moves', [])) as { id: string }[]
    for (const _twice of [1, 2]) await tellMove(app, must(last))
  }
  await tell()
  const mailed = async ({ email }: Customer, letter: string) =>
    (await asOwner(test, 'select from mails where to_address = $1 and letter = $2', [email, letter])).length
  expect(await mailed(moved.customer, 'plan_moves')).toBe(1)
  const { text } = await test.mails.about(moved.customer.email, / will renew with heir en$/)
  expect(text).toMatch(/€23\.80 at most/)

  bodyOf(await choose(other.customer, other.hostId, 'lite', 1178n, { from: 'gone' }), 200)

  // The price rises after the mail: without its promise the first renewal with the other plan would cost 35.70.
  await transaction(app, 'system', (tx) => editPlan(tx, 'heir', { price_net: 3000n }))
  // The first renewal comes before the notice is over, and is with the plan of before.
  await doMoves(app)
  await goTo(moved.customer, moved.hostId, 0.9)
  expect(await lastPaid(moved.customer, moved.hostId)).toMatchObject({ total: { amount: '1178' } })
  await doMoves(app)
  expect((await hostOf(moved.customer, moved.hostId)).licence.renewal_plan?.slug).toBe('heir')
  expect((await hostOf(other.customer, other.hostId)).licence.renewal_plan?.slug).toBe('lite')
  await goTo(moved.customer, moved.hostId, 6.9)
  await goTo(moved.customer, moved.hostId, 0.9)
  expect(await lastPaid(moved.customer, moved.hostId)).toMatchObject({
    kind: 'auto_renewal',
    total: { amount: '2380' },
  })
  expect((await staff.call(catalogue.undoPlanMove, { params })).body).toMatchObject(
    refusal(409, 'move_in_effect'),
  )
  expect(await mistakesIn(test)).toEqual([])
})

it('L-20 a move that is undone before it counts leaves the plan as it was, and says so once', async () => {
  for (const slug of ['kept', 'unwanted']) await sell(slug, slug === 'kept' ? 990n : 2000n)
  const customer = await buyer(test, 100_000n)
  const hostId = bodyOf(await orderHost(customer, { plan: 'kept', total: 1178n }), 201).host.id
  await customer.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } })
  await orderLicence(customer, hostId, { plan: 'kept', total: 1178n })
  await transaction(app, 'system', (tx) => editPlan(tx, 'kept', { is_active: false }))
  const { id } = await transaction(app, 'system', (tx) =>
    planMove(tx, { from_plan: 'kept', to_plan: 'unwanted' }, { by: 'command line' }),
  )
  await tellMove(app, { id: String(id) })
  expect((await hostOf(customer, hostId)).licence.renewal_plan?.slug).toBe('unwanted')
  await transaction(app, 'system', (tx) => takeMoveBack(tx, 'kept', { by: 'command line' }))
  for (const _twice of [1, 2]) await tellMove(app, { id: String(id) })
  expect((await hostOf(customer, hostId)).licence.renewal_plan?.slug).toBe('kept')
  const stays = await asOwner(test, `select from mails where to_address = $1 and letter = 'plan_stays'`, [
    customer.email,
  ])
  expect(stays).toHaveLength(1)
})

// Seen red while only the servers were told that renewed the retired plan by themselves when its move was planned.
it('L-20 a server that renews a retired plan later, or goes to another owner, is told then, and moves after the same notice', async () => {
  for (const slug of ['ended', 'next']) await sell(slug, slug === 'ended' ? 990n : 2000n)
  const own = async (months = 1) => {
    const customer = await buyer(test, 100_000n)
    const hostId = bodyOf(await orderHost(customer, { plan: 'ended', total: 1178n }), 201).host.id
    for (let more = 1; more < months; more += 1)
      bodyOf(await orderLicence(customer, hostId, { plan: 'ended', total: 1178n }), 201)
    return { customer, hostId }
  }
  const renews = ({ api }: Customer, hostId: string) =>
    api.call(updateHost, { params: { hostId }, body: { auto_renew: true } })
  const [late, given] = [await own(), await own(3)]
  await renews(given.customer, given.hostId)
  await transaction(app, 'system', (tx) => editPlan(tx, 'ended', { is_active: false }))
  const { id } = await transaction(app, 'system', (tx) =>
    planMove(tx, { from_plan: 'ended', to_plan: 'next' }, { by: 'command line' }),
  )
  await tellMove(app, { id: String(id) })
  const atEnd = async ({ customer, hostId }: { customer: Customer; hostId: string }) =>
    (await hostOf(customer, hostId)).licence.renewal_plan?.slug
  expect(await atEnd(given)).toBe('next')

  await renews(late.customer, late.hostId)
  const next = { customer: await buyer(test, 100_000n), hostId: given.hostId }
  await transferred(given.customer, next.customer, given.hostId)
  await doMoves(app)
  expect(await atEnd(next)).toBe('ended')
  await renews(next.customer, next.hostId)
  for (const _twice of [1, 2]) await doMoves(app)
  const told = async ({ email }: Customer) =>
    (await asOwner(test, `select from mails where to_address = $1 and letter = 'plan_moves'`, [email])).length
  expect([await told(late.customer), await told(next.customer)]).toEqual([1, 1])
  // Its next renewal is within the notice, and still with the plan of before; the paid time of the other one is longer.
  expect([await atEnd(late), await atEnd(next)]).toEqual(['ended', 'next'])
  await goTo(late.customer, late.hostId, 0.9)
  expect(await lastPaid(late.customer, late.hostId)).toMatchObject({ total: { amount: '1178' } })
  await doMoves(app)
  expect([await atEnd(late), await told(late.customer)]).toEqual(['next', 1])

  // A plan that is sold again moves nobody who was not told.
  await transaction(app, 'system', (tx) => editPlan(tx, 'ended', { is_active: true }))
  const fresh = await own(3)
  await renews(fresh.customer, fresh.hostId)
  await doMoves(app)
  expect([await atEnd(fresh), await told(fresh.customer)]).toEqual(['ended', 0])
})
