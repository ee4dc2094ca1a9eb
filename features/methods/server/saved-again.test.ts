import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { testMethods, type TestMethod } from '#features/finance/server/providers/test-methods.ts'
import { providerCalled } from '#features/finance/server/finance.ts'
import * as contract from '#features/methods/contract.ts'
import { becomeReader } from '#foundation/server/account-events/account-events.ts'
import { eventsOf } from '#tests/harness/account-events.ts'
import { autoTopUpOf, fillsItself, turnOn } from '#tests/harness/auto-top-ups.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { beginMethod, methodsOf } from '#tests/harness/methods.ts'
import { postPayment } from '#tests/harness/payments.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { forgetMethod } from './changes.ts'

const test = await startTestApp()
const { app } = test

/** Saves a method of which the provider says this fingerprint. */
async function saved(customer: Customer, fingerprint: string, text = 'pays 2031-04'): Promise<string> {
  const [way = 'pays'] = text.split(' ') as TestMethod[]
  const { id } = bodyOf(await beginMethod(customer, testMethods[way].kind), 201)
  const told = { id: randomUUID(), kind: 'method_saved', method: id, saved: text, fingerprint } as const
  for (let times = 0; times < 2; times += 1) expect(await postPayment(test, told)).toBe(200)
  return id
}

const gone = (id: string) => {
  const method_gone = { id: randomUUID(), kind: 'method_gone', provider_ref: `test-pays-${id}` } as const
  return postPayment(test, method_gone)
}
const rowOf = async (public_id: string) => {
  const [row] = await asOwner(
    test,
    'select id, state, last4, provider_ref_sealed is not null as is_kept from payment_methods where public_id = $1',
    [public_id],
  )
  return row as { id: string; state: string; last4: string; is_kept: boolean }
}

it('the same card that is saved twice is one entry: the older one, which stays the default, and what was begun is forgotten', async () => {
  const customer = await signedInCustomer(test)
  const first = await saved(customer, 'card-1')
  const other = await saved(customer, 'card-2')
  const again = await saved(customer, 'card-1')
  expect(await methodsOf(customer)).toMatchObject([
    { id: first, is_default: true, state: 'active', expires: '2031-04' },
    { id: other, is_default: false },
  ])
  const begun = await rowOf(again)
  expect(begun).toMatchObject({ state: 'removed', last4: '', is_kept: true })
  await forgetMethod.run(app, { method: begun.id }, 'tests')
  expect(await rowOf(again)).toMatchObject({ is_kept: false })
  // An event of the provider about the one that was forgotten does not touch the one that stays.
  await gone(again)
  expect(await methodsOf(customer)).toMatchObject([{ id: first, state: 'active' }, { id: other }])
  await gone(first)
  expect((await methodsOf(customer)).find(({ id }) => id === first)).toMatchObject({ state: 'paused' })
})

it('a card that is saved anew with a later end, or after it was paused, is charged by what was saved last', async () => {
  const customer = await signedInCustomer(test)
  const first = await fillsItself(test, customer)
  const card = await saved(customer, 'card-3')
  bodyOf(await turnOn(customer, card), 200)
  const later = await saved(customer, 'card-3', 'pays 2036-09')
  expect((await methodsOf(customer)).map(({ id, expires }) => [id, expires])).toEqual([
    [first, '2034-12'],
    [card, '2036-09'],
  ])
  expect(await autoTopUpOf(customer)).toMatchObject({
    state: 'active',
    method: { id: card, expires: '2036-09' },
  })
  // The provider forgets the one that was saved first, though the event of the second has come twice.
  const forget = vi.spyOn(providerCalled('test'), 'forgetMethod')
  await forgetMethod.run(app, { method: (await rowOf(later)).id }, 'tests')
  expect(forget.mock.calls.map(([, { provider_ref }]) => provider_ref)).toEqual([`test-pays-${card}`])
  forget.mockRestore()
  // The provider ends what was saved first, which is not charged any more.
  await gone(card)
  expect((await methodsOf(customer))[1]).toMatchObject({ id: card, state: 'active' })
  await gone(later)
  expect((await methodsOf(customer))[1]).toMatchObject({ id: card, state: 'paused', reason: 'ended' })
  await saved(customer, 'card-3', 'pays 2036-09')
  expect((await methodsOf(customer))[1]).toMatchObject({ id: card, state: 'active', reason: null })
})

it('cards without a fingerprint, of other people, and a bank account with the number of a card are methods of their own', async () => {
  const [customer, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  await saved(customer, '')
  await saved(customer, '')
  await saved(customer, 'number-1')
  await saved(customer, 'number-1', 'debit')
  expect(await methodsOf(customer)).toHaveLength(4)
  await saved(other, 'number-1')
  expect(await methodsOf(other)).toMatchObject([{ is_default: true }])
  expect(await methodsOf(customer)).toHaveLength(4)
})

it('O-12 the list of events tells of a method that is added, paused and removed, as the list of methods shows it', async () => {
  const customer = await signedInCustomer(test)
  await becomeReader(app, customer.user_id)
  const id = await saved(customer, 'card-4')
  const [added] = await methodsOf(customer)
  await gone(id)
  const [paused] = await methodsOf(customer)
  expect((await customer.api.call(contract.removeMethod, { params: { methodId: id } })).status).toBe(204)
  const told = (await eventsOf(test, customer.user_id)).filter(({ type }) =>
    type.startsWith('payment_method.'),
  )
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['payment_method.added', added],
    ['payment_method.paused', paused],
    ['payment_method.removed', paused],
  ])
})
