import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announceTopUp, balanceOf } from '#features/finance/server/finance.ts'
import type { MethodKind } from '#features/finance/rules.ts'
import * as contract from '#features/methods/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { methodsOf } from '#tests/harness/methods.ts'
import { mandateOf, type Mandate } from '#tests/harness/mollie-customers.ts'
import {
  callAsMollie,
  chargebackOf,
  MOLLIE_KEY,
  startMollieServer,
  type Payment,
} from '#tests/harness/mollie-server.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { forgetMethod } from './changes.ts'
import { chargeSaved, endCharge } from './methods.ts'
import { methodOf } from './queries.ts'

const mollie = await startMollieServer()
afterAll(() => mollie.close())
const test = await startTestApp({
  settings: { MOLLIE_API_KEY: MOLLIE_KEY, MOLLIE_API_ORIGIN: mollie.origin },
})
const { app, url } = test

beforeEach(() => Object.assign(mollie, { fate: 'none', chargeStatus: 'paid' }))
afterEach(() => expect(mollie.wrong.splice(0)).toEqual([]))

const newest = (): Payment => must([...mollie.payments.values()].at(-1))
const card = () =>
  mandateOf('creditcard', {
    cardNumber: '4242',
    cardLabel: 'Visa',
    cardExpiryDate: '2031-04-30',
    cardHolder: 'A',
  })

async function begun(kind: MethodKind = 'card', key: string = randomUUID()) {
  const customer = await signedInCustomer(test)
  const begin = () =>
    customer.api.call(contract.saveMethod, {
      headers: { 'idempotency-key': key },
      body: { provider: 'mollie', kind },
    })
  return { customer, begin }
}

/** Saves a method by a first payment, whose mandate Mollie keeps. */
async function saved(kind: MethodKind = 'card', mandate: Mandate = card()) {
  const { customer, begin } = await begun(kind)
  const { id, redirect_url } = bodyOf(await begin(), 201)
  const payment = newest()
  expect(redirect_url).toContain(payment.id)
  const atMollie = must(mollie.customers.get(must(payment.customerId)))
  atMollie.mandates.push(mandate)
  Object.assign(payment, { status: 'paid', mandateId: mandate.id })
  expect(await callAsMollie(url, payment)).toBe(200)
  return { customer, id, payment, atMollie, mandate }
}

async function announced(by: Awaited<ReturnType<typeof saved>>) {
  const { user_id } = by.customer
  const { id: method_id } = must(await methodOf(app.db, user_id, by.id))
  const { public_id } = await transaction(app, { userId: user_id }, (tx) =>
    announceTopUp(app, tx, { user_id, amount: 25_00n, provider: 'mollie', method_id }),
  )
  const charge = () => chargeSaved(app, user_id, public_id, { isThere: false })
  const end = () => endCharge(app, user_id, public_id)
  return { ...by, public_id, charge, end, balance: () => balanceOf(app, app.db, user_id) }
}
const charged = async () => announced(await saved())
const stateOf = async ({ id }: { id: string }) => {
  const [row] = await asOwner(test, 'select state from payment_methods where public_id = $1', [id])
  return (row as { state: string }).state
}

describe('a method is saved by a first payment', () => {
  it.each([
    [
      'card',
      card(),
      '0.00',
      'creditcard',
      { kind: 'card', brand: 'Visa', last4: '4242', expires: '2031-04' },
    ],
    [
      'sepa_debit',
      mandateOf('directdebit', { consumerAccount: 'NL53INGB0654422370' }, { mandateReference: 'M-1' }),
      '0.01',
      ['ideal'],
      { kind: 'sepa_debit', brand: '', last4: '2370', expires: null, mandate: 'M-1' },
    ],
    [
      'paypal',
      mandateOf('paypal', { consumerAccount: 'a@example.com' }),
      '0.00',
      'paypal',
      { kind: 'paypal', last4: '' },
    ],
  ] as const)('%s', async (kind, mandate, value, method, shown) => {
    const before = mollie.asked.length
    const { customer } = await saved(kind, mandate)
    const first = mollie.asked.slice(before).find(({ path }) => path === '/v2/payments')
    expect(first?.body).toMatchObject({ amount: { currency: 'EUR', value }, method, sequenceType: 'first' })
    expect(await methodsOf(customer)).toMatchObject([{ ...shown, state: 'active', is_default: true }])
    // The cent of a bank is on no balance.
    expect(await balanceOf(app, app.db, customer.user_id)).toBe(0n)
  })

  it('once, also where Mollie did not answer; and by nothing but a payment that is paid', async () => {
    const { customer, begin } = await begun()
    const before = mollie.customers.size
    for (const fate of ['away', 'answer lost'] as const) {
      mollie.fate = fate
      expect((await begin()).status).toBe(503)
    }
    mollie.fate = 'none'
    expect([(await begin()).status, (await begin()).status]).toEqual([201, 201])
    expect(mollie.customers.size).toBe(before + 1)
    // The mandate stands at Mollie, though its payment does not.
    const mandate = card()
    must(mollie.customers.get(must(newest().customerId))).mandates.push(mandate)
    for (const status of ['open', 'failed', 'canceled', 'expired']) {
      Object.assign(newest(), { status, mandateId: mandate.id })
      expect(await callAsMollie(url, newest())).toBe(200)
    }
    expect(await methodsOf(customer)).toEqual([])
  })

  it('a mandate that is not valid, or that Mollie does not know, saves nothing', async () => {
    const { customer } = await saved('card', { ...card(), status: 'invalid' })
    expect(await methodsOf(customer)).toEqual([])
    const other = await begun()
    await other.begin()
    Object.assign(newest(), { status: 'paid', mandateId: 'mdt_unknown1' })
    expect(await callAsMollie(url, newest())).toBe(200)
    expect(await methodsOf(other.customer)).toEqual([])
  })

  it('bank accounts cannot be saved while no way that gives a mandate is on', async () => {
    const { methods } = mollie
    mollie.methods = ['creditcard', 'paypal']
    const { begin } = await begun('sepa_debit')
    expect((await begin()).status).toBe(503)
    mollie.methods = methods
  })
})

describe('a mandate is charged', () => {
  it('rule 14: the answer books nothing, the call of Mollie does, once', async () => {
    const one = await charged()
    expect(await one.charge()).toMatchObject({ state: 'paid', reference: newest().id })
    expect(await one.balance()).toBe(0n)
    for (let times = 0; times < 3; times += 1) await callAsMollie(url, newest())
    expect(await one.balance()).toBe(25_00n)
    expect(await one.charge()).toMatchObject({ state: 'paid' })
    expect(mollie.asked.filter(({ body }) => JSON.stringify(body).includes(one.public_id))).toHaveLength(1)
  })

  it.each(['away', 'answer lost'] as const)(
    'and once where it is %s, also when Mollie has forgotten the key',
    async (fate) => {
      const one = await charged()
      mollie.fate = fate
      await expect(one.charge()).rejects.toThrow()
      mollie.fate = 'none'
      if (fate === 'answer lost') expect(await one.charge()).toMatchObject({ state: 'paid' })
      mollie.forgetKeys()
      await asOwner(
        test,
        "update top_ups set created_at = created_at - interval '2 hours' where public_id = $1",
        [one.public_id],
      )
      expect(await one.charge()).toMatchObject({ state: 'paid' })
      const made = [...mollie.payments.values()].filter(({ metadata }) =>
        JSON.stringify(metadata).includes(one.public_id),
      )
      expect(made).toHaveLength(1)
    },
  )

  it('a charge that is wanted no more is looked for, and never made', async () => {
    const [away, lost] = [await charged(), await charged()]
    const before = mollie.payments.size
    mollie.fate = 'away'
    for (const call of [away.charge, away.end]) await expect(call()).rejects.toThrow()
    mollie.fate = 'answer lost'
    await expect(lost.charge()).rejects.toThrow()
    mollie.fate = 'none'
    expect([await away.end(), await lost.end()]).toEqual(['over', 'moving'])
    for (const status of ['failed', 'canceled', 'expired']) {
      newest().status = status
      expect(await lost.end()).toBe('over')
    }
    expect(mollie.payments.size).toBe(before + 1)
    newest().status = 'paid'
    await lost.customer.api.call(contract.removeMethod, { params: { methodId: lost.id } })
    expect(await lost.end()).toBe('unknown')
    await callAsMollie(url, newest())
    expect(await lost.end()).toBe('moving')
  })

  it('a direct debit is under way for days; one that comes back takes the money and stops the method', async () => {
    const one = await announced(
      await saved('sepa_debit', mandateOf('directdebit', { consumerAccount: 'NL53INGB0654422370' })),
    )
    mollie.chargeStatus = 'pending'
    expect(await one.charge()).toMatchObject({ state: 'under_way' })
    const debit = newest()
    await callAsMollie(url, debit)
    expect(await one.balance()).toBe(0n)
    debit.status = 'paid'
    await callAsMollie(url, debit)
    expect(await one.balance()).toBe(25_00n)
    debit.chargebacks = [chargebackOf('25.00')]
    await callAsMollie(url, debit)
    expect([await one.balance(), await stateOf(one)]).toEqual([0n, 'paused'])
  })

  it.each([
    ['insufficient_funds', false, 'active'],
    ['card_expired', true, 'paused'],
  ])('a decline by %s is told with its reason; final: %s', async (failureReason, isFinal, state) => {
    const one = await charged()
    mollie.chargeStatus = 'failed'
    const payment = one.charge()
    await payment
    Object.assign(newest(), { details: { failureReason } })
    await callAsMollie(url, newest())
    expect([await one.balance(), await stateOf(one)]).toEqual([0n, state])
    await asOwner(test, "update top_ups set status = 'pending' where public_id = $1", [one.public_id])
    await asOwner(
      test,
      "update top_ups set created_at = created_at - interval '2 hours' where public_id = $1",
      [one.public_id],
    )
    if (!isFinal)
      expect(await one.charge()).toMatchObject({ state: 'declined', reason: failureReason, isFinal })
  })

  it('a mandate that was revoked at Mollie declines for good; too much for a bank does not', async () => {
    const [one, other] = [await charged(), await charged()]
    one.atMollie.mandates = []
    expect(await one.charge()).toMatchObject({ state: 'declined', reason: 'mandate', isFinal: true })
    expect(await stateOf(one)).toBe('paused')
    mollie.fate = 422
    expect(await other.charge()).toMatchObject({ state: 'declined', isFinal: false })
    expect(await stateOf(other)).toBe('active')
  })
})

it('a method that is removed is forgotten at Mollie, with the customer whose it was, and cannot be charged', async () => {
  const one = await charged()
  await one.customer.api.call(contract.removeMethod, { params: { methodId: one.id } })
  expect(await one.charge()).toMatchObject({ state: 'declined' })
  const row = must(await methodOf(app.db, one.customer.user_id, one.id))
  mollie.fate = 'away'
  await expect(forgetMethod.run(app, { method: row.id }, 'tests')).rejects.toThrow()
  mollie.fate = 'none'
  await forgetMethod.run(app, { method: row.id }, 'tests')
  await forgetMethod.run(app, { method: row.id }, 'tests')
  expect(mollie.customers.has(one.atMollie.id)).toBe(false)
  // The first payment is told again: it saves nothing any more.
  expect(await callAsMollie(url, one.payment)).toBe(200)
  expect(await stateOf(one)).toBe('removed')
})
