import { expect, it } from 'vitest'
import { bulk, freeServers, paidServers, previewOf } from '#tests/harness/bulk.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { buyer, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
await sellLarge(test)

/** The time of the newest order of each server, and the beginning of the ordered period. */
const ordersOf = async (ids: readonly string[]) =>
  (await asOwner(
    test,
    `select distinct on (h.id) o.ordered_at, p.starts_at from hosts h join licence_orders o on o.host_id = h.id
     join paid_periods p on p.order_id = o.id where h.public_id = any($1) order by h.id, p.id desc`,
    [ids],
  )) as { ordered_at: Date; starts_at: Date }[]

it('L-28 servers without a licence are paid from the moment of their order on', async () => {
  const customer = await buyer(test, 20_000n)
  const host_ids = await freeServers(customer, 3)
  bodyOf(await bulk(customer, { act: 'renew', host_ids, plan: 'standard-month' }), 200)
  const orders = await ordersOf(host_ids)
  const [first] = orders
  expect(orders).toEqual(
    host_ids.map(() => ({ ordered_at: first?.ordered_at, starts_at: first?.ordered_at })),
  )
})

it('L-28 a bulk upgrade takes price and start from its preview, and its order time from when it is carried out', async () => {
  const customer = await buyer(test, 20_000n)
  const host_ids = await paidServers(customer, 2)
  const wish = { act: 'upgrade' as const, host_ids, plan: 'large-month' }
  const { as_of, expected_total } = bodyOf(await previewOf(customer, wish), 200)
  bodyOf(await bulk(customer, wish, { as_of, expected_total }), 200)
  for (const { ordered_at, starts_at } of await ordersOf(host_ids)) {
    expect(starts_at).toEqual(new Date(as_of))
    expect(ordered_at.getTime()).toBeGreaterThan(Date.parse(as_of))
  }
})
