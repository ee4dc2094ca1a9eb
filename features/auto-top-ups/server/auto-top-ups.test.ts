import { expect, it } from 'vitest'
import * as contract from '#features/auto-top-ups/contract.ts'
import { removeMethod } from '#features/methods/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { autoTopUpOf, fillsItself, turnOn } from '#tests/harness/auto-top-ups.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { savedMethod } from '#tests/harness/methods.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const money = (amount: bigint) => toMoney(amount, 'EUR')

it('is off, is turned on with a saved method, changed and turned off', async () => {
  const customer = await signedInCustomer(test)
  expect(await autoTopUpOf(customer)).toMatchObject({
    state: 'off',
    kind: 'cover',
    method: null,
    used: money(0n),
  })
  const method = await fillsItself(test, customer)
  expect(await autoTopUpOf(customer)).toMatchObject({
    state: 'active',
    kind: 'cover',
    method: { id: method, last4: '4242' },
    month_limit: money(100_00n),
    threshold: null,
    days_ahead: { at_once: 3, direct_debit: 10 },
  })
  const threshold = { kind: 'threshold', threshold: money(10_00n), amount: money(30_00n) } as const
  expect(bodyOf(await turnOn(customer, method, threshold), 200)).toMatchObject(threshold)
  for (let times = 0; times < 2; times += 1)
    expect((await customer.api.call(contract.endAutoTopUp, {})).status).toBe(204)
  expect((await autoTopUpOf(customer)).state).toBe('off')
})

it('refuses what cannot be, methods of others and sessions without a recent proof', async () => {
  const [customer, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const method = await savedMethod(test, customer)
  expect((await turnOn(other, method)).body).toMatchObject(refusal(404, 'not_found'))
  const threshold = { kind: 'threshold', threshold: money(10_00n) } as const
  for (const [wish, code, param] of [
    [{ month_limit: money(1n) }, 'amount_too_small', 'month_limit'],
    [{ amount: money(10_00n) }, 'invalid', 'amount'],
    [threshold, 'required', 'amount'],
    [{ ...threshold, amount: money(1n) }, 'amount_too_small', 'amount'],
    [{ ...threshold, amount: money(9999_00n) }, 'amount_too_large', 'amount'],
    [{ ...threshold, amount: money(101_00n) }, 'amount_above_limit', 'amount'],
  ] as const)
    expect((await turnOn(customer, method, wish)).body).toMatchObject({ errors: [{ code, param }] })
  const old = await signedInCustomer(test, { proven_s_ago: 3600 })
  expect((await turnOn(old, method)).body).toMatchObject(refusal(403, 'reauthentication_required'))
})

it('rule 45: a choice of another tab is not overwritten', async () => {
  const customer = await signedInCustomer(test)
  const method = await fillsItself(test, customer)
  const { version } = await autoTopUpOf(customer)
  expect((await turnOn(customer, method, { version: 1 })).body).toMatchObject({
    errors: [{ code: 'changed' }],
    present: { version },
  })
  expect(bodyOf(await turnOn(customer, method), 200).version).toBe(version + 1)
})

it('is paused with its method, and goes on with another one', async () => {
  const customer = await signedInCustomer(test)
  const method = await fillsItself(test, customer)
  await customer.api.call(removeMethod, { params: { methodId: method } })
  expect(await autoTopUpOf(customer)).toMatchObject({ state: 'paused', reason: 'method_gone', method: null })
  await fillsItself(test, customer)
  expect(await autoTopUpOf(customer)).toMatchObject({ state: 'active', reason: null })
})

it('is paused by staff, with words for the customer, and never their own', async () => {
  const [staff, customer] = [await signedInStaff(test), await signedInCustomer(test)]
  const params = { userId: customer.user_id }
  const pause = (userId = customer.user_id) =>
    staff.api.call(contract.pauseCustomerAutoTopUp, { params: { userId }, body: { reason: 'Until Monday' } })
  expect((await pause()).body).toMatchObject(refusal(409, 'auto_top_up_not_active'))
  await fillsItself(test, customer)
  expect((await pause()).body).toMatchObject({ state: 'paused', reason: 'staff' })
  expect((await staff.api.call(contract.getCustomerAutoTopUp, { params })).body).toMatchObject({
    state: 'paused',
  })
  expect((await pause(staff.user_id)).body).toMatchObject(refusal(403, 'own_account'))
  expect((await customer.api.call(contract.getCustomerAutoTopUp, { params })).status).toBe(403)
})
