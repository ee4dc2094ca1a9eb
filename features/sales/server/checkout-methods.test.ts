import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as contract from '#features/sales/checkouts.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { helperOf, programOf } from '#tests/harness/grants.ts'
import { refusal } from '#tests/harness/hosts.ts'
import { savedMethod } from '#tests/harness/methods.ts'
import { checkoutState, movementsOf, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { anyAddress, goods, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)
const PRICE = goods['standard-month'].total
const expected_total = { amount: String(PRICE), currency: 'EUR' }

const order = () =>
  ({ for: 'order', name: 'by-card', ipv4: anyAddress(), plan: 'standard-month', expected_total }) as const

const checkOut = (
  { api }: Pick<Customer, 'api'>,
  way: { method?: string; provider?: 'test' },
  { key = randomUUID(), of = order(), owner = '' }: { key?: string; of?: object; owner?: string } = {},
) =>
  api.post<contract.Checkout>(
    `/api/finances/checkouts/${owner === '' ? '' : `?for=${owner}`}`,
    { ...of, ...way },
    { headers: { 'idempotency-key': key } },
  )

const begun = async (...given: Parameters<typeof checkOut>) => {
  const { status, body } = await checkOut(...given)
  expect(status).toBe(201)
  return body
}

it('charges a saved card and has ordered by the time of the answer, once for each key', async () => {
  const customer = await signedInCustomer(test)
  const method = await savedMethod(test, customer)
  const [key, of] = [randomUUID(), order()]
  const one = await begun(customer, { method }, { key, of })
  expect(one).toMatchObject({ state: 'done', top_up: { status: 'paid', redirect_url: null } })
  expect(one.host_id).not.toBeNull()
  expect((await checkOut(customer, { method }, { key, of })).body).toMatchObject({
    id: one.id,
    state: 'done',
  })
  expect(await movementsOf(customer)).toEqual([`fill_balance ${PRICE}`, `spend -${PRICE}`])
})

it('leads to the page that must allow it, waits for a debit, and says that a card was declined', async () => {
  const customer = await signedInCustomer(test)
  const asks = await savedMethod(test, customer, 'asks')
  const one = await begun(customer, { method: asks })
  expect(one).toMatchObject({ state: 'open', top_up: { redirect_url: `/dev/pay/${one.id}` } })
  const again = await customer.api.call(contract.continueCheckout, { params: { id: one.id } })
  expect(again.body).toMatchObject({ top_up: { redirect_url: `/dev/pay/${one.id}` } })
  await postPayment(test, paymentEvent(one.id, 'paid'))
  expect(await checkoutState(customer, one.id)).toMatchObject({ state: 'done' })
  const debit = await savedMethod(test, customer, 'debit')
  const other = await begun(customer, { method: debit })
  expect(other).toMatchObject({ state: 'open', top_up: { redirect_url: null } })
  await postPayment(test, paymentEvent(other.id, 'paid'))
  expect(await checkoutState(customer, other.id)).toMatchObject({ state: 'done' })
  const declines = await savedMethod(test, customer, 'declines')
  const refused = await checkOut(customer, { method: declines })
  expect(refused).toMatchObject({ status: 402, body: refusal(402, 'charge_declined') })
  expect(await movementsOf(customer)).toHaveLength(4)
})

it('charges no method of another account, none out of use, and wants one way to pay', async () => {
  const [customer, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const method = await savedMethod(test, other)
  expect((await checkOut(customer, { method })).status).toBe(404)
  const lost = await savedMethod(test, customer, 'lost')
  expect((await checkOut(customer, { method: lost })).body).toMatchObject(refusal(402, 'charge_declined'))
  expect((await checkOut(customer, { method: lost })).body).toMatchObject(refusal(409, 'method_not_usable'))
  expect((await checkOut(customer, {})).body).toMatchObject(refusal(400, 'required'))
  expect((await checkOut(customer, { method, provider: 'test' })).body).toMatchObject(refusal(400, 'invalid'))
  for (const one of [customer, other]) expect(await movementsOf(one)).toEqual([])
})

it('lets a helper who may spend order with the card of the owner, and no program', async () => {
  const owner = await signedInCustomer(test)
  const method = await savedMethod(test, owner)
  const helping = await helperOf(test, owner, { role: 'billing' })
  const ordered = await checkOut(helping, { method }, { owner: owner.user_id })
  expect(ordered).toMatchObject({ status: 201, body: { state: 'done' } })
  const top_up = { for: 'top_up', amount: '2500' }
  const denied = refusal(403, 'not_allowed_for_role')
  expect((await checkOut(helping, { method }, { of: top_up, owner: owner.user_id })).body).toMatchObject(
    denied,
  )
  const program = await programOf(test, owner, { role: 'billing' })
  expect((await checkOut(program, { method }, { owner: owner.user_id })).body).toMatchObject(denied)
  expect(await movementsOf(owner)).toHaveLength(2)
})
