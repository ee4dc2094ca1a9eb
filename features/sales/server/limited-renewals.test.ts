import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import { addExtra } from '#features/licences/server/licences.ts'
import * as sales from '#features/sales/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bulk } from '#tests/harness/bulk.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { helperOf, programOf } from '#tests/harness/grants.ts'
import { addHost, bodyOf } from '#tests/harness/hosts.ts'
import { anyAddress, buyer, doLicenceJobs, passTime, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
await sellLarge(test)
const name = { en: 'Seats', de: 'Plätze', ru: 'Места' }
await transaction(test.app, 'system', (tx) =>
  addExtra(tx, { slug: 'seats', kind: 'addon', net: 300n, most: 10, edition: 'standard', name }),
)

// Gross prices, at 19 %.
const totals = {
  standard: 2368n,
  'standard with a seat': 2725n,
  'standard with 9 seats': 5581n,
  large: 4760n,
}
const seats = (quantity: number) => [{ extra: 'seats', quantity }]
const BILLING = { role: 'billing', month_limit: '100000' } as const

/** Buys as a helper or program of `owner`, or as the owner. */
const buy = ({ api }: Pick<Customer, 'api'>, owner: Customer, hostId: string, body: object, total: bigint) =>
  api.post(
    `/api/hosts/${hostId}/licence/?for=${owner.user_id}`,
    { plan: 'standard-month', expected_total: toMoney(total, 'EUR'), ...body },
    { headers: { 'idempotency-key': randomUUID() } },
  )

async function upgrade({ api }: Pick<Customer, 'api'>, owner: Customer, hostId: string) {
  const wish = { plan: 'large-month', scope: 'all' } as const
  const query = { query: { for: owner.user_id } }
  const preview = bodyOf(await api.call(sales.previewUpgrade, { params: { hostId }, body: wish }, query), 200)
  const body = { ...wish, as_of: preview.as_of, expected_total: preview.pay_now }
  const call = { params: { hostId }, headers: { 'idempotency-key': randomUUID() }, body }
  return api.call(sales.upgradeLicence, call, query)
}

/** A server that renews by itself, with Standard and one seat. */
async function renewing() {
  const owner = await buyer(test, 100_000n)
  const { id } = await addHost(owner.api, { ipv4: anyAddress() })
  const ordered = await buy(owner, owner, id, { extras: seats(1) }, totals['standard with a seat'])
  expect(ordered.status).toBe(201)
  bodyOf(await owner.api.call(updateHost, { params: { hostId: id }, body: { auto_renew: true } }), 200)
  return { owner, id }
}

/** The plan and the add-ons with which a server renews. */
async function atEnd({ api }: Customer, hostId: string) {
  const { renewal_plan: plan, extras } = bodyOf(await api.call(getHost, { params: { hostId } }), 200).licence
  return { plan: plan?.slug, seats: extras?.map(({ quantity }) => quantity) }
}

const asBefore = { plan: 'standard-month', seats: [1] }

it.each([
  ['helper', helperOf],
  ['program', programOf],
] as const)('a %s with a limit decides nothing about the renewals of a server', async (_who, made) => {
  const { owner, id } = await renewing()
  const limited = await made(test, owner, BILLING)
  const more = await buy(limited, owner, id, { extras: seats(9) }, totals['standard with 9 seats'])
  expect([more.status, await atEnd(owner, id)]).toEqual([201, asBefore])
  const other = await buy(limited, owner, id, { plan: 'large-month', extras: [] }, totals.large)
  expect([other.status, await atEnd(owner, id)]).toEqual([201, asBefore])
  const many = await bulk(
    limited,
    { act: 'renew', host_ids: [id], plan: 'large-month' },
    { for: owner.user_id },
  )
  expect([many.status, await atEnd(owner, id)]).toEqual([200, asBefore])
})

it('an upgrade by a helper with a limit ends with the plan from before, alone and with others', async () => {
  const { owner, id } = await renewing()
  const limited = await helperOf(test, owner, BILLING)
  expect((await upgrade(limited, owner, id)).status).toBe(201)
  expect(await atEnd(owner, id)).toEqual(asBefore)
  const other = await renewing()
  const also = await helperOf(test, other.owner, BILLING)
  const wish = { act: 'upgrade' as const, host_ids: [other.id], plan: 'large-month' }
  expect((await bulk(also, wish, { for: other.owner.user_id })).status).toBe(200)
  expect(await atEnd(other.owner, other.id)).toEqual(asBefore)
})

it('the licence renews with the plan from before a purchase of a helper with a limit', async () => {
  const { owner, id } = await renewing()
  const limited = await helperOf(test, owner, BILLING)
  expect((await upgrade(limited, owner, id)).status).toBe(201)
  const { licence } = bodyOf(await owner.api.call(getHost, { params: { hostId: id } }), 200)
  await passTime(test, Math.round(licence.remaining_s / 86_400) - 1 + 1 / 1440)
  await doLicenceJobs(test)
  const { items } = bodyOf(
    await owner.api.call(sales.listPaidPeriods, { params: { hostId: id }, query: {} }),
    200,
  )
  expect(items[0]).toMatchObject({ kind: 'auto_renewal', plan: { en: 'Standard' } })
  expect(await atEnd(owner, id)).toEqual(asBefore)
})

it('the owner, a helper without a limit, and anybody without automatic renewal go on with what they buy', async () => {
  const { owner, id } = await renewing()
  const full = await helperOf(test, owner, { role: 'full' })
  expect((await buy(full, owner, id, { extras: seats(9) }, totals['standard with 9 seats'])).status).toBe(201)
  expect(await atEnd(owner, id)).toEqual({ plan: 'standard-month', seats: [9] })
  expect((await upgrade(owner, owner, id)).status).toBe(201)
  expect((await atEnd(owner, id)).plan).toBe('large-month')
  bodyOf(await owner.api.call(updateHost, { params: { hostId: id }, body: { auto_renew: false } }), 200)
  const limited = await helperOf(test, owner, BILLING)
  expect((await buy(limited, owner, id, { extras: [] }, totals.standard)).status).toBe(201)
  expect((await atEnd(owner, id)).plan).toBe('standard-month')
})
