import { expect, it } from 'vitest'
import { listUnbookedEvents, settleUnbookedEvent } from '#features/finance/contract.ts'
import { must } from '#foundation/must.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { movementsOf, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { anyAddress, goods, stockShop } from '#tests/harness/shop.ts'
import { buy, keyIn, look, post } from '#tests/harness/strangers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({
  settings: { SHOP: 'on', TRUSTED_PROXIES: '1', PAYMENTS: 'test', RATE_LIMIT_SCALE: '1000' },
})
await stockShop(test)
const staff = await signedInStaff(test)
const bought = ['fill_balance 2368', 'spend -2368']

/** A payment that names the address of an account, and waits for its owner to follow the link. */
async function waitingPayment() {
  const owner = await signedInCustomer(test)
  const typed = { email: owner.email, country: 'DE', ipv4: anyAddress() }
  const { id } = await buy(test, 'standard-month', typed)
  const event = paymentEvent(id, 'paid')
  expect(await postPayment(test, event)).toBe(200)
  const key = keyIn((await test.mails.about(owner.email, 'without signing in')).text ?? '')
  return { owner, id, key, event }
}

const lineOf = async (event_id: string, state: 'open' | 'done' = 'open') => {
  const { items } = bodyOf(await staff.api.call(listUnbookedEvents, { query: { state, limit: '100' } }), 200)
  return must(items.find((item) => item.event_id === event_id))
}
const settle = async (event_id: string, by: Customer = staff) =>
  by.api.call(settleUnbookedEvent, {
    params: { id: (await lineOf(event_id)).id },
    body: { note: 'Paid back on the page of the provider' },
  })

// Seen red: the money was booked, and the server licensed, though it had been paid back.
it('rule 61: a payment that staff have settled by hand is not taken by its link any more, and the page says so', async () => {
  const { owner, id, key, event } = await waitingPayment()
  expect((await look(test, `/buy/open/?key=${key}`)).html).toContain('Is this your payment?')
  expect((await settle(event.id)).status).toBe(200)
  const words = 'This payment is no longer waiting'
  expect((await post(test, '/buy/open/', { key })).html).toContain(words)
  const opened = await look(test, `/buy/open/?key=${key}`)
  expect(opened.html).toContain(words)
  expect(opened.html).not.toContain('name="key"')
  expect(await movementsOf(owner)).toEqual([])
  expect(await asOwner(test, 'select from top_ups where public_id = $1', [id])).toEqual([])
  // The provider tells of it again, and of the money that went back: staff see both, and nothing is booked.
  for (const kind of ['paid', 'charged_back'] as const) {
    const more = paymentEvent(id, kind)
    expect(await postPayment(test, more)).toBe(200)
    expect(await lineOf(more.id)).toMatchObject({ cause: 'unknown_payment' })
  }
  expect((await post(test, '/buy/open/', { key })).html).toContain(words)
  expect(await movementsOf(owner)).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
})

it('staff who settle another event leave a payment waiting', async () => {
  const [one, other] = [await waitingPayment(), await waitingPayment()]
  expect((await settle(other.event.id)).status).toBe(200)
  expect((await post(test, '/buy/open/', { key: one.key })).html).toContain('Your licence')
  expect(await movementsOf(one.owner)).toEqual(bought)
  expect(await movementsOf(other.owner)).toEqual([])
})

it('of staff who settle a payment and its owner who takes it at once, the first decides', async () => {
  for (let times = 0; times < 5; times += 1) {
    const { owner, key, event } = await waitingPayment()
    const { id } = await lineOf(event.id)
    const [settled, taken] = await Promise.all([
      staff.api.call(settleUnbookedEvent, { params: { id }, body: { note: 'Paid back' } }),
      post(test, '/buy/open/', { key }),
    ])
    const isSettled = settled.status === 200
    expect([settled.status, taken.html.includes('Your licence')]).toEqual(
      isSettled ? [200, false] : [409, true],
    )
    expect(await movementsOf(owner)).toEqual(isSettled ? [] : bought)
  }
  expect(await mistakesIn(test)).toEqual([])
})

it('an owner who presses twice sees the licence twice', async () => {
  const { owner, key } = await waitingPayment()
  const pages = await Promise.all([1, 2].map(() => post(test, '/buy/open/', { key })))
  for (const { html } of pages) expect(html).not.toContain('no longer waiting')
  expect(pages.some(({ html }) => html.includes('Your licence'))).toBe(true)
  expect(await movementsOf(owner)).toEqual(bought)
  expect(goods['standard-month'].total).toBe(2368n)
})
