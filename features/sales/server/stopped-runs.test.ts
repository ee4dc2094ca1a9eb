import pg from 'pg'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import * as contract from '#features/auto-top-ups/contract.ts'
import { chargeRun } from '#features/auto-top-ups/server/charge.ts'
import { setBlock } from '#features/customers/contract.ts'
import { balanceOverdrawn } from '#features/finance/contract.ts'
import { lockBalanceOf, providerCalled } from '#features/finance/server/finance.ts'
import { removeMethod } from '#features/methods/contract.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { autoTopUpOf, fillsItself, runsOf, turnOn } from '#tests/harness/auto-top-ups.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { savedMethod } from '#tests/harness/methods.ts'
import { movementsOf, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { buyer } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { fillBalances } from './fill-balances.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const AMOUNT = 10_00n
const wishes = {
  kind: 'threshold',
  threshold: toMoney(5_00n, 'EUR'),
  amount: toMoney(AMOUNT, 'EUR'),
} as const

const charge = vi.spyOn(providerCalled('test'), 'charge')
const endCharge = vi.spyOn(providerCalled('test'), 'endCharge')
afterAll(() => vi.restoreAllMocks())
beforeEach(() => vi.clearAllMocks())
const away = () => charge.mockRejectedValueOnce(new Error('the provider is away'))
const answer = { reference: 'pi_1', reason: '', isFinal: false, url: null }

type Filled = Customer & { method: string; run: string }

/** A customer whose run has begun, and waits for its job. */
async function begun(): Promise<Filled> {
  const customer = await buyer(test, 1n)
  const method = await fillsItself(test, customer, 'pays', wishes)
  await fillBalances(test.app)
  const [run] = await runsOf(customer)
  expect(run).toMatchObject({ state: 'charging' })
  return { ...customer, method, run: must(run).id }
}

const doJob = ({ run }: Filled) => chargeRun.run(test.app, { run }, 'tests')
const stateOf = async (customer: Filled) => must((await runsOf(customer))[0]).state
const turnOff = async ({ api }: Filled) => bodyOf(await api.call(contract.endAutoTopUp, {}), 204)

/** Lets so many minutes pass for a run since its provider was asked. */
const wait = ({ run }: Filled, minutes: number) =>
  asOwner(
    test,
    `update auto_top_up_runs set asked_at = asked_at - make_interval(mins => $2) where public_id = $1`,
    [run, minutes],
  )

const stops = {
  'turned off': turnOff,
  'paused by staff': async ({ user_id }: Filled) => {
    const staff = await signedInStaff(test)
    const wish = { params: { userId: user_id }, body: { reason: 'Until Monday' } }
    bodyOf(await staff.api.call(contract.pauseCustomerAutoTopUp, wish), 200)
  },
  'without its method': async ({ api, method }: Filled) => {
    bodyOf(await api.call(removeMethod, { params: { methodId: method } }), 204)
  },
  'that of a blocked account': async ({ user_id }: Filled) => {
    const staff = await signedInStaff(test)
    const why = { cause: 'terms', reason: 'Spam', message: 'Please call us.' } as const
    const wish = { params: { userId: user_id }, body: { level: 'blocked', ...why } } as const
    bodyOf(await staff.api.call(setBlock, wish), 200)
  },
  'on with a lower limit': async (customer: Filled) => {
    const lower = { month_limit: toMoney(AMOUNT - 1n, 'EUR') }
    bodyOf(await turnOn(customer, customer.method, lower), 200)
  },
  'on with another method': async (customer: Filled) => {
    bodyOf(await turnOn(customer, await savedMethod(test, customer, 'paypal'), wishes), 200)
  },
}

// Seen red while a run that was to be charged at once was never judged again.
it.each(Object.entries(stops))(
  'a charge that the provider was never asked for is not made once the automatic top-up is %s',
  async (_how, stop) => {
    const customer = await begun()
    await stop(customer)
    await doJob(customer)
    expect(await stateOf(customer)).toBe('cancelled')
    expect(charge).not.toHaveBeenCalled()
    expect(await movementsOf(customer)).toEqual(['fill_balance 1'])
  },
)

it('a charge that waits for its provider is cancelled at once where the provider was never asked', async () => {
  const customer = await begun()
  await turnOff(customer)
  expect(await stateOf(customer)).toBe('cancelled')
})

it('a provider that was away is not asked again for a charge that is allowed no more, but for what became of it', async () => {
  const customer = await begun()
  for (let times = 0; times < 2; times += 1) {
    away()
    await expect(doJob(customer)).rejects.toThrow('the provider is away')
  }
  await turnOff(customer)
  // The last call may still be under way at the provider.
  await doJob(customer)
  expect([await stateOf(customer), endCharge.mock.calls.length]).toEqual(['charging', 0])
  const jobs = await asOwner(
    test,
    `select from jobs where key = 'auto-top-up:' || $1 and run_at > now() + interval '9 minutes'`,
    [customer.run],
  )
  expect(jobs).toHaveLength(1)
  await wait(customer, 9)
  await doJob(customer)
  expect(await stateOf(customer)).toBe('charging')
  await wait(customer, 2)
  endCharge.mockRejectedValueOnce(new Error('still away'))
  await expect(doJob(customer)).rejects.toThrow('still away')
  expect(await stateOf(customer)).toBe('charging')
  await doJob(customer)
  expect([await stateOf(customer), charge.mock.calls.length]).toEqual(['cancelled', 2])
  expect(await movementsOf(customer)).toEqual(['fill_balance 1'])
})

it('rule 61: a charge that was made though its answer was lost goes on when it is allowed no more, and is booked once', async () => {
  const customer = await begun()
  away()
  await expect(doJob(customer)).rejects.toThrow()
  await turnOff(customer)
  await wait(customer, 11)
  endCharge.mockResolvedValueOnce({ ...answer, state: 'under_way' })
  await doJob(customer)
  await doJob(customer)
  expect([await stateOf(customer), charge.mock.calls.length]).toEqual(['under_way', 1])
  for (let times = 0; times < 2; times += 1)
    expect(await postPayment(test, paymentEvent(customer.run, 'paid', { id: `paid-${customer.run}` }))).toBe(
      200,
    )
  expect(await stateOf(customer)).toBe('paid')
  expect(await movementsOf(customer)).toEqual(['fill_balance 1', `fill_balance ${AMOUNT}`])
})

it('an answer that no charge was made ends no run that is allowed again and was asked for meanwhile', async () => {
  const customer = await begun()
  away()
  await expect(doJob(customer)).rejects.toThrow()
  await turnOff(customer)
  await wait(customer, 11)
  endCharge.mockImplementationOnce(async () => {
    bodyOf(await turnOn(customer, customer.method, wishes), 200)
    away()
    await expect(doJob(customer)).rejects.toThrow()
    return undefined
  })
  await doJob(customer)
  expect(await stateOf(customer)).toBe('charging')
  await doJob(customer)
  expect(await stateOf(customer)).toBe('paid')
  expect(await autoTopUpOf(customer)).toMatchObject({ state: 'active', open_run: null })
})

const pauses = {
  method_gone: async ({ user_id, method }: Filled) => {
    const isGone = `update payment_methods set state = 'paused', is_default = false where public_id = $1`
    await asOwner(test, isGone, [method])
    await asOwner(test, 'update auto_top_ups set look_at = now() where user_id = $1', [user_id])
    await fillBalances(test.app)
  },
  disputed: ({ user_id }: Filled) =>
    transaction(test.app, 'system', async (tx) => {
      await lockBalanceOf(test.app, tx, user_id)
      await emit(test.app, tx, balanceOverdrawn, { user_id })
    }),
} as const

// Seen red while a pause that held the balance waited for the payment of the run, whose event waits for the balance.
it.each(Object.entries(pauses))(
  'rule 9: a pause (%s) that holds the balance waits for no payment, and the job of the run cancels it',
  async (reason, pause) => {
    const customer = await begun()
    const event = new pg.Client({ connectionString: test.app.ownerUrl })
    await event.connect()
    await event.query(`begin; set local app.actor = 'system'`)
    const held = `select from top_ups where public_id = $1 for no key update`
    expect((await event.query(held, [customer.run])).rowCount).toBe(1)
    try {
      await pause(customer)
    } finally {
      await event.end()
    }
    expect(await autoTopUpOf(customer)).toMatchObject({ state: 'paused', reason })
    await doJob(customer)
    expect(await stateOf(customer)).toBe('cancelled')
    expect(charge).not.toHaveBeenCalled()
  },
)
