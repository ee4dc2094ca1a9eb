import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { removeMethod, saveMethod } from '#features/methods/contract.ts'
import * as contract from '#features/sales/checkouts.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { savedMethod } from '#tests/harness/methods.ts'
import { mandateOf } from '#tests/harness/mollie-customers.ts'
import { callAsMollie, MOLLIE_KEY, startMollieServer } from '#tests/harness/mollie-server.ts'
import { checkoutState, movementsOf, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { anyAddress, goods, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const mollie = await startMollieServer()
afterAll(() => mollie.close())
const test = await startTestApp({
  settings: { PAYMENTS: 'test,mollie', MOLLIE_API_KEY: MOLLIE_KEY, MOLLIE_API_ORIGIN: mollie.origin },
})
await stockShop(test)
const PRICE = goods['standard-month'].total

const wishes = {
  order: async () => ({ plan: 'standard-month', name: 'by-card', ipv4: anyAddress() }),
  renewal: async (customer: Customer) => {
    const host = await addHost(customer.api, { name: 'by-card', ipv4: anyAddress() })
    return { plan: 'standard-month', host_id: host.id }
  },
  top_up: async () => ({ amount: '2500' }),
}
type Purpose = keyof typeof wishes

const checkOut = async (customer: Customer, purpose: Purpose, method: string) => {
  const wish = await wishes[purpose](customer)
  const priced = purpose === 'top_up' ? {} : { expected_total: toMoney(PRICE, 'EUR') }
  const body = { for: purpose, method, ...priced, ...wish }
  const headers = { 'idempotency-key': randomUUID() }
  return customer.api.post<contract.Checkout>('/api/finances/checkouts/', body, { headers })
}

const newestOf = async ({ user_id }: Customer) => {
  const [row] = await asOwner(
    test,
    'select public_id, state, refusal from checkouts where user_id = $1 order by top_up_id desc limit 1',
    [user_id],
  )
  return row as { public_id: string; state: string; refusal: string | null }
}
const openOf = async ({ api }: Customer) =>
  bodyOf(await api.call(contract.listCheckouts, { query: {} }), 200).items

/** Saves a card at Mollie; `mandates` are those that Mollie keeps of its customer. */
async function cardAtMollie(customer: Customer) {
  const body = { provider: 'mollie', kind: 'card' } as const
  const headers = { 'idempotency-key': randomUUID() }
  const { id } = bodyOf(await customer.api.call(saveMethod, { headers, body }), 201)
  const payment = must([...mollie.payments.values()].at(-1))
  const { mandates } = must(mollie.customers.get(must(payment.customerId)))
  const mandate = mandateOf('creditcard', {
    cardNumber: '4242',
    cardLabel: 'Visa',
    cardExpiryDate: '2031-04-30',
    cardHolder: 'A',
  })
  mandates.push(mandate)
  Object.assign(payment, { status: 'paid', mandateId: mandate.id })
  expect(await callAsMollie(test.url, payment)).toBe(200)
  return { id, mandates }
}

it.each(['order', 'renewal', 'top_up'] as const)(
  'ends the checkout of an %s at once where Mollie refuses to make a charge, which no event tells',
  async (purpose) => {
    const customer = await signedInCustomer(test)
    const { id, mandates } = await cardAtMollie(customer)
    mandates.splice(0)
    expect(await checkOut(customer, purpose, id)).toMatchObject({
      status: 402,
      body: refusal(402, 'charge_declined'),
    })
    const { public_id, ...ended } = await newestOf(customer)
    expect(ended).toEqual({ state: 'failed', refusal: 'payment_failed' })
    expect(await openOf(customer)).toEqual([])
    expect(await checkoutState(customer, public_id)).toMatchObject({ top_up: { status: 'failed' } })
    // The same order goes on by another card, which the first one's checkout does not hold up.
    const other = await checkOut(customer, purpose, await savedMethod(test, customer))
    expect(other).toMatchObject({ status: 201, body: { state: 'done' } })
    expect(await movementsOf(customer)).toHaveLength(purpose === 'top_up' ? 1 : 2)
  },
)

it('rule 61: ends a checkout that waits for a card which is removed, and orders all the same if its money comes', async () => {
  const customer = await signedInCustomer(test)
  const method = await savedMethod(test, customer, 'asks')
  const { body } = await checkOut(customer, 'order', method)
  expect(body.state).toBe('open')
  bodyOf(await customer.api.call(removeMethod, { params: { methodId: method } }), 204)
  const again = await customer.api.call(contract.continueCheckout, { params: { id: body.id } })
  expect(again).toMatchObject({ status: 402, body: refusal(402, 'charge_declined') })
  expect(await checkoutState(customer, body.id)).toMatchObject({ state: 'failed', refusal: 'payment_failed' })
  await postPayment(test, paymentEvent(body.id, 'paid'))
  expect(await checkoutState(customer, body.id)).toMatchObject({ state: 'done' })
  expect(await movementsOf(customer)).toEqual([`fill_balance ${PRICE}`, `spend -${PRICE}`])
})

it('keeps waiting for a debit that is under way, whose event will come, though its method is removed', async () => {
  const customer = await signedInCustomer(test)
  const method = await savedMethod(test, customer, 'debit')
  const { body } = await checkOut(customer, 'order', method)
  await customer.api.call(removeMethod, { params: { methodId: method } })
  await customer.api.call(contract.continueCheckout, { params: { id: body.id } })
  expect(await checkoutState(customer, body.id)).toMatchObject({ state: 'open' })
})
