import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { listTransactions } from '#features/finance/contract.ts'
import { announceTopUp, balanceOf } from '#features/finance/server/finance.ts'
import type { TestMethod } from '#features/finance/server/providers/test-methods.ts'
import * as contract from '#features/methods/contract.ts'
import { MOST_METHODS } from '#features/methods/rules.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { beginMethod, methodsOf, savedMethod } from '#tests/harness/methods.ts'
import { paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { forgetMethod } from './changes.ts'
import { warnOfEnds } from './ending.ts'
import { chargePage, chargeSaved } from './methods.ts'
import { methodOf } from './queries.ts'

const test = await startTestApp()
const { app } = test

const remove = ({ api }: Customer, methodId: string) =>
  api.call(contract.removeMethod, { params: { methodId } })
const makeDefault = ({ api }: Customer, methodId: string) =>
  api.call(contract.makeMethodDefault, { params: { methodId } })

const rowOf = async (id: string) => {
  const [row] = await asOwner(
    test,
    'select state, reason, last4, provider_ref_sealed from payment_methods where public_id = $1',
    [id],
  )
  return row as { state: string; reason: string; last4: string; provider_ref_sealed: string | null }
}

/** A payment that is announced for a saved method. */
async function announced(way: TestMethod) {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  const method = await savedMethod(test, customer, way)
  const { id: method_id } = must(await methodOf(app.db, user_id, method))
  const { public_id } = await transaction(app, { userId: user_id }, (tx) =>
    announceTopUp(app, tx, { user_id, amount: 25_00n, provider: 'test', method_id }),
  )
  const charge = (isThere = false) => chargeSaved(app, user_id, public_id, { isThere })
  return { customer, user_id, method, public_id, charge, balance: () => balanceOf(app, app.db, user_id) }
}

describe('a method is saved on the page of its provider', () => {
  it('once the signed event has come; the first one is the default', async () => {
    const customer = await signedInCustomer(test)
    const key = randomUUID()
    const [one, again] = [await beginMethod(customer, 'card', key), await beginMethod(customer, 'card', key)]
    expect(again.body).toEqual(one.body)
    const { id, redirect_url } = bodyOf(one, 201)
    expect(redirect_url).toBe(`/dev/pay/methods/${id}?kind=card&locale=en`)
    expect(await methodsOf(customer)).toEqual([])
    const told = { id: randomUUID(), kind: 'method_saved', method: id, saved: 'pays 2031-04' } as const
    for (let times = 0; times < 2; times += 1) expect(await postPayment(test, told)).toBe(200)
    expect(await methodsOf(customer)).toMatchObject([
      {
        id,
        brand: 'Visa',
        last4: '4242',
        expires: '2031-04',
        is_default: true,
        state: 'active',
        mandate: null,
      },
    ])
    const debit = await savedMethod(test, customer, 'debit')
    expect(await methodsOf(customer)).toMatchObject([
      { id, is_default: true },
      {
        id: debit,
        kind: 'sepa_debit',
        is_default: false,
        expires: null,
        mandate: expect.stringMatching(/^TEST-/),
      },
    ])
    expect((await makeDefault(customer, debit)).body).toMatchObject({ id: debit, is_default: true })
    expect((await methodsOf(customer)).map(({ is_default }) => is_default)).toEqual([true, false])
  })

  it('with a recent proof, by a provider that keeps such methods, and not without end', async () => {
    const old = await signedInCustomer(test, { proven_s_ago: 3600 })
    expect((await beginMethod(old)).body).toMatchObject(refusal(403, 'reauthentication_required'))
    const customer = await signedInCustomer(test)
    const by = (provider: 'bank' | 'stripe') =>
      customer.api.call(contract.saveMethod, {
        headers: { 'idempotency-key': randomUUID() },
        body: { provider, kind: 'card' },
      })
    for (const provider of ['bank', 'stripe'] as const)
      expect((await by(provider)).body).toMatchObject(refusal(400, 'provider_not_offered'))
    for (let made = 0; made < MOST_METHODS; made += 1) await savedMethod(test, customer)
    expect((await beginMethod(customer)).body).toMatchObject(refusal(409, 'too_many_methods'))
  })

  it('never in another account, nor by an event that nobody signed', async () => {
    const [customer, other] = [await signedInCustomer(test), await signedInCustomer(test)]
    const id = await savedMethod(test, customer)
    for (const status of [(await remove(other, id)).status, (await makeDefault(other, id)).status])
      expect(status).toBe(404)
    expect(await methodsOf(other)).toEqual([])
    const unsigned = await fetch(`${test.url}/api/payments/test/events/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-test-signature': 'no' },
      body: JSON.stringify({ id: 'x', kind: 'method_gone', provider_ref: `test-pays-${id}` }),
    })
    expect(unsigned.status).toBe(400)
    expect(await methodsOf(customer)).toHaveLength(1)
  })
})

describe('a saved method is charged', () => {
  it('rule 14: what the charge says books nothing, the signed event does, once', async () => {
    const { charge, balance, customer } = await announced('pays')
    expect(await charge()).toMatchObject({ state: 'paid', isFinal: false })
    expect(await charge()).toMatchObject({ state: 'paid' })
    expect(await balance()).toBe(25_00n)
    const debit = await announced('debit')
    expect(await debit.charge()).toMatchObject({ state: 'under_way', url: null })
    expect(await debit.balance()).toBe(0n)
    await postPayment(test, paymentEvent(debit.public_id, 'paid'))
    expect(await debit.balance()).toBe(25_00n)
    const { items } = bodyOf(await customer.api.call(listTransactions, { query: {} }), 200)
    expect(items).toHaveLength(1)
  })

  it('one that must be confirmed leads whoever is there to a page, and can be confirmed later', async () => {
    const { charge, user_id, public_id, balance } = await announced('asks')
    expect(await charge()).toMatchObject({ state: 'action_needed', url: null })
    expect(await charge(true)).toMatchObject({ state: 'action_needed', url: `/dev/pay/${public_id}` })
    expect(await chargePage(app, user_id, public_id)).toBe(`/dev/pay/${public_id}`)
    expect(await balance()).toBe(0n)
    await postPayment(test, paymentEvent(public_id, 'paid'))
    expect(await chargePage(app, user_id, public_id)).toBeNull()
    expect(await balance()).toBe(25_00n)
  })

  it('a decline moves nothing; one for good, and a dispute, take the method out of use', async () => {
    const declined = await announced('declines')
    expect(await declined.charge()).toMatchObject({
      state: 'declined',
      reason: 'insufficient_funds',
      isFinal: false,
    })
    expect(await methodsOf(declined.customer)).toMatchObject([{ state: 'active', is_default: true }])
    const lost = await announced('lost')
    expect(await lost.charge()).toMatchObject({ state: 'declined', reason: 'lost_card', isFinal: true })
    expect(await methodsOf(lost.customer)).toMatchObject([
      { state: 'paused', reason: 'declined', is_default: false },
    ])
    expect((await makeDefault(lost.customer, lost.method)).body).toMatchObject(
      refusal(409, 'method_not_usable'),
    )
    const disputed = await announced('pays')
    await disputed.charge()
    await postPayment(test, paymentEvent(disputed.public_id, 'charged_back', { stops_method: true }))
    expect(await disputed.balance()).toBe(0n)
    expect(await methodsOf(disputed.customer)).toMatchObject([{ state: 'paused', reason: 'disputed' }])
    for (const { balance } of [declined, lost]) expect(await balance()).toBe(0n)
  })

  it('a refund, which is no dispute, leaves it in use', async () => {
    const { charge, public_id, customer } = await announced('pays')
    await charge()
    await postPayment(test, paymentEvent(public_id, 'charged_back'))
    expect(await methodsOf(customer)).toMatchObject([{ state: 'active' }])
  })
})

describe('a method is removed', () => {
  it('at once here, and by a job at its provider; nothing is charged to it any more', async () => {
    const { customer, method, charge, balance, user_id } = await announced('pays')
    const row = must(await methodOf(app.db, user_id, method))
    expect((await remove(customer, method)).status).toBe(204)
    expect((await remove(customer, method)).status).toBe(404)
    expect(await methodsOf(customer)).toEqual([])
    expect(await charge()).toMatchObject({ state: 'declined', reason: 'method_not_usable' })
    expect(await balance()).toBe(0n)
    expect(await rowOf(method)).toMatchObject({ state: 'removed', last4: '' })
    await forgetMethod.run(app, { method: row.id }, 'tests')
    expect(await rowOf(method)).toMatchObject({ provider_ref_sealed: null })
  })

  it('one that is saved after its removal is forgotten, too, and names nothing', async () => {
    const customer = await signedInCustomer(test)
    const { id } = bodyOf(await beginMethod(customer), 201)
    expect((await remove(customer, id)).status).toBe(204)
    const told = { id: randomUUID(), kind: 'method_saved', method: id, saved: 'pays' } as const
    expect(await postPayment(test, told)).toBe(200)
    expect(await methodsOf(customer)).toEqual([])
    expect(await rowOf(id)).toMatchObject({ state: 'removed', last4: '' })
  })

  it('by its provider: it is shown as ended', async () => {
    const customer = await signedInCustomer(test)
    const id = await savedMethod(test, customer)
    const told = { id: randomUUID(), kind: 'method_gone', provider_ref: `test-pays-${id}` } as const
    expect(await postPayment(test, told)).toBe(200)
    expect(await methodsOf(customer)).toMatchObject([{ state: 'paused', reason: 'ended' }])
  })
})

it('the provider’s ids are sealed, and bound to their row', async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const [mine, theirs] = [await savedMethod(test, one), await savedMethod(test, other)]
  const { provider_ref_sealed } = await rowOf(mine)
  expect(provider_ref_sealed).not.toContain('test-')
  await asOwner(test, 'update payment_methods set provider_ref_sealed = $1 where public_id = $2', [
    provider_ref_sealed,
    theirs,
  ])
  const { id: method_id } = must(await methodOf(app.db, other.user_id, theirs))
  const { public_id } = await transaction(app, { userId: other.user_id }, (tx) =>
    announceTopUp(app, tx, { user_id: other.user_id, amount: 25_00n, provider: 'test', method_id }),
  )
  await expect(chargeSaved(app, other.user_id, public_id, { isThere: false })).rejects.toThrow()
  expect(await balanceOf(app, app.db, other.user_id)).toBe(0n)
})

it('a card that ends is told 30 and 7 days before, each once, and a new end anew', async () => {
  const customer = await signedInCustomer(test)
  const id = await savedMethod(test, customer, 'pays', '2031-04')
  const endsIn = async (days: number) => {
    await asOwner(test, 'update payment_methods set expires = current_date + $2::int where public_id = $1', [
      id,
      days,
    ])
    await warnOfEnds(app)
    await warnOfEnds(app)
  }
  const told = async () =>
    await asOwner(test, 'select count(*)::int as count from mails where user_id = $1', [customer.user_id])
  const counts = []
  for (const days of [31, 30, 29, 7, 0, -1]) {
    await endsIn(days)
    counts.push((await told())[0])
  }
  expect(counts).toEqual([0, 1, 1, 2, 2, 2].map((count) => ({ count })))
  expect((await test.mails.next(customer.email)).subject).toMatch(/^Visa •••• 4242 expires in \d\d\/\d{4}$/)
  await postPayment(test, { id: randomUUID(), kind: 'method_saved', method: id, saved: 'pays 2032-04' })
  await endsIn(20)
  expect(await told()).toEqual([{ count: 3 }])
})

// Seen red while the 30 days were looked for first.
it('a card that is saved in its last seven days is told of once', async () => {
  const customer = await signedInCustomer(test)
  const id = await savedMethod(test, customer, 'pays', '2031-04')
  await asOwner(test, 'update payment_methods set expires = current_date + 5 where public_id = $1', [id])
  for (let times = 0; times < 2; times += 1) await warnOfEnds(app)
  expect(
    await asOwner(test, 'select count(*)::int as count from mails where user_id = $1', [customer.user_id]),
  ).toEqual([{ count: 1 }])
})
