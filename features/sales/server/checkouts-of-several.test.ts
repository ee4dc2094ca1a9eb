import { expect, it } from 'vitest'
import { deleteHost, listHosts } from '#features/hosts/contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { bulk, newServers, paidServers, previewOf } from '#tests/harness/bulk.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import {
  beginCheckout,
  begunCheckout,
  checkoutState,
  movementsOf,
  paymentEvent,
  postPayment,
} from '#tests/harness/payments.ts'
import { buyer, orderHost, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
await sellLarge(test)
const plan = 'standard-month'
/** Three times 19.90, with 19 % VAT on the sum. */
const THREE = 7104n

const pay = (id: string) => postPayment(test, paymentEvent(id, 'paid'))
const serversOf = async ({ api }: Customer) => bodyOf(await api.call(listHosts, { query: {} }), 200).items
const invoicesOf = async ({ api }: Customer) => bodyOf(await api.call(listInvoices, { query: {} }), 200).items
type Several = Parameters<typeof previewOf>[1] & { act: 'order' | 'renew' | 'upgrade' }

/** Begins the checkout of an order for several servers, at the total of its preview. */
async function begun(customer: Customer, { plan: slug, ...wish }: Several) {
  const named = slug === undefined ? {} : { plan: slug }
  const { expected_total, as_of } = bodyOf(await previewOf(customer, { ...wish, ...named }), 200)
  const seen = wish.act === 'upgrade' ? { expected_total, as_of } : { expected_total }
  return begunCheckout(customer, { for: 'bulk', bulk: wish, ...seen, plan: slug })
}

it('L-28 an order for several servers pays itself: one payment, one charge, one invoice', async () => {
  const customer = await buyer(test, 1000n)
  const checkout = await begun(customer, { act: 'order', hosts: newServers(3), plan })
  expect(checkout).toMatchObject({
    for: 'bulk',
    bulk: { act: 'order', servers: 3 },
    host_id: null,
    total: toMoney(THREE, 'EUR'),
    top_up: { amount: toMoney(THREE - 1000n, 'EUR') },
  })
  expect(await serversOf(customer)).toEqual([])
  await pay(checkout.id)
  expect(await checkoutState(customer, checkout.id)).toMatchObject({ state: 'done', host_id: null })
  expect((await serversOf(customer)).map(({ licence }) => licence.status)).toEqual(Array(3).fill('active'))
  expect(await invoicesOf(customer)).toHaveLength(1)
  expect(await movementsOf(customer)).toEqual([
    'fill_balance 1000',
    `fill_balance ${THREE - 1000n}`,
    `spend -${THREE}`,
  ])
  expect(await mistakesIn(test)).toEqual([])
})

it('servers are renewed with their own plans, and upgraded at no more than was shown', async () => {
  const customer = await buyer(test, THREE)
  const host_ids = await paidServers(customer, 2)
  const renewal = await begun(customer, { act: 'renew', host_ids })
  expect(renewal).toMatchObject({ plan: null, bulk: { act: 'renew', servers: 2 } })
  await pay(renewal.id)
  expect(await checkoutState(customer, renewal.id)).toMatchObject({ state: 'done' })
  const upgrade = await begun(customer, { act: 'upgrade', host_ids, plan: 'large-month' })
  await pay(upgrade.id)
  expect(await checkoutState(customer, upgrade.id)).toMatchObject({ state: 'done', refusal: null })
  for (const { licence } of await serversOf(customer)) expect(licence.plan?.slug).toBe('large-month')
  expect(await mistakesIn(test)).toEqual([])
})

it('rule 61: all or none is ordered, and the money of what cannot be done any more stays on the balance', async () => {
  const customer = await buyer(test, 0n)
  const hosts = newServers(3)
  const taken = await begun(customer, { act: 'order', hosts, plan })
  bodyOf(await orderHost(await buyer(test, THREE), { ipv4: must(hosts[1]).ipv4 }), 201)
  await pay(taken.id)
  expect(await checkoutState(customer, taken.id)).toMatchObject({
    state: 'failed',
    refusal: 'servers_refused',
    top_up: { status: 'paid' },
  })
  expect(await serversOf(customer)).toEqual([])
  expect(await movementsOf(customer)).toEqual([`fill_balance ${THREE}`])

  const host_ids = await paidServers(customer, 3)
  const twice = [
    await begun(customer, { act: 'renew', host_ids }),
    await begun(customer, { act: 'renew', host_ids }),
  ]
  for (const { id } of twice) await pay(id)
  const states = await Promise.all(twice.map(({ id }) => checkoutState(customer, id)))
  expect(states.map(({ state, refusal: code }) => `${state} ${code}`)).toEqual([
    'done null',
    'failed already_renewed',
  ])

  const other = await buyer(test, THREE)
  const theirs = await paidServers(other, 3)
  const gone = await begun(other, { act: 'renew', host_ids: theirs })
  const deleted = must((await serversOf(other)).find(({ id }) => id === theirs[0]))
  const named = { params: { hostId: deleted.id }, query: { name: deleted.name } }
  expect(await other.api.call(deleteHost, named)).toMatchObject({ status: 204 })
  await pay(gone.id)
  expect(await checkoutState(other, gone.id)).toMatchObject({ state: 'failed', refusal: 'not_found' })
  expect(await mistakesIn(test)).toEqual([])
})

it('refuses before the payment what the order itself would refuse', async () => {
  const customer = await buyer(test, 0n)
  const [mine, theirs] = [newServers(2), await paidServers(await buyer(test, THREE), 1)]
  const total = { expected_total: toMoney(THREE, 'EUR') }
  const refused = async (more: Parameters<typeof beginCheckout>[1]) => {
    const { status, body } = await beginCheckout(customer, { for: 'bulk', ...total, ...more })
    return `${status} ${(body as unknown as { errors: { code: string }[] }).errors[0]?.code}`
  }
  expect(await refused({ bulk: { act: 'order', hosts: mine } })).toBe('409 price_changed')
  expect(await refused({ bulk: { act: 'renew', host_ids: theirs } })).toBe('404 not_found')
  expect(await refused({ bulk: { act: 'renew' } })).toBe('400 required')
  expect(await refused({ bulk: { act: 'order', host_ids: theirs } })).toBe('400 required')
  expect(await refused({ for: 'order', bulk: { act: 'order', hosts: mine } })).toBe('400 invalid')
  const { ipv4 } = must(mine[0])
  const twice = { bulk: { act: 'order' as const, hosts: [{ ipv4 }, { ipv4 }] } }
  expect(await beginCheckout(customer, { for: 'bulk', ...total, ...twice })).toMatchObject({
    status: 409,
    body: refusal(409, 'servers_refused'),
  })
  await addMoney(test.app, customer.user_id, THREE)
  bodyOf(await bulk(customer, { act: 'order', hosts: newServers(3), plan }), 200)
  expect(await movementsOf(customer)).toEqual([`fill_balance ${THREE}`, `spend -${THREE}`])
})
