import pg from 'pg'
import { afterAll, expect, it, vi } from 'vitest'
import { chargeRun, sweepRuns } from '#features/auto-top-ups/server/charge.ts'
import { checkLedger, providerCalled } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { autoTopUpOf, fillsItself, runsOf } from '#tests/harness/auto-top-ups.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { movementsOf, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { buyer } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { fillBalances } from './fill-balances.ts'

// `npm run test:faults -- runs` does 1,000 runs. RUNS is their number.
const COUNT = Number(process.env['RUNS'] ?? 12)
const AMOUNT = 10_00n
const wishes = {
  kind: 'threshold',
  threshold: toMoney(5_00n, 'EUR'),
  amount: toMoney(AMOUNT, 'EUR'),
} as const

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const chance = (share: number) => Math.random() < share
const shuffled = <T>(all: readonly T[]): T[] => all.toSorted(() => Math.random() - 0.5)

/**
 * The provider, whose own books say what was charged by which key. While it is odd it is away, or its answer is lost, as when the process that
 * asked is killed.
 */
const charged = new Map<string, bigint>()
const declined = new Set<string>()
let isOdd = true
const charge = vi.spyOn(providerCalled('test'), 'charge')
afterAll(() => charge.mockRestore())
charge.mockImplementation(async (_app, { public_id, amount }, { provider_ref }) => {
  if (isOdd && chance(0.3)) throw new Error('the provider is away')
  const answer = { reference: `pi_${public_id}`, reason: '', isFinal: false, url: null }
  const isDeclined = provider_ref.startsWith('test-declines')
  if (isDeclined) declined.add(public_id)
  else charged.set(public_id, amount)
  if (isOdd && chance(0.4)) throw new Error('the answer is lost')
  if (isDeclined) return { ...answer, state: 'declined', reason: 'insufficient_funds' }
  return { ...answer, state: chance(0.5) ? 'paid' : 'under_way' }
})

/** Delivers an event as payment services do: it is sent again while the answer is 503 (busy). */
async function delivered(told: Parameters<typeof postPayment>[1]): Promise<void> {
  const status = await postPayment(test, told)
  if (status === 503) return delivered(told)
  expect(status).toBe(200)
}

const openRuns = async (): Promise<string[]> =>
  (
    (await asOwner(test, `select public_id from auto_top_up_runs where ended_at is null`)) as {
      public_id: string
    }[]
  ).map(({ public_id }) => public_id)

/** Looks at all balances, as two processes that do it at once, and charges all runs, each twice at once. */
async function goOnTwice(): Promise<void> {
  await asOwner(test, `update auto_top_ups set look_at = now() where declines = 0`)
  await Promise.all([fillBalances(test.app), fillBalances(test.app)])
  const open = await openRuns()
  const jobs = shuffled([...open, ...open]).map((run) => chargeRun.run(test.app, { run }, 'tests'))
  for (const { status, reason } of (await Promise.allSettled(jobs)) as PromiseRejectedResult[])
    if (status === 'rejected') expect(String(reason)).toMatch(/the provider is away|the answer is lost/)
}

/** Sends the events of what was charged and declined, some of them twice, in any order, and some before the answer was heard. */
async function sendEvents(share: number): Promise<void> {
  const paid = [...charged.keys()].map((id) => paymentEvent(id, 'paid', { id: `paid-${id}` }))
  const failed = [...declined].map((id) => paymentEvent(id, 'failed', { id: `failed-${id}` }))
  const some = [...paid, ...failed, ...paid, ...failed].filter(() => chance(share))
  await Promise.all(shuffled(some).map(delivered))
}

it(`rules 10, 14: of ${COUNT} accounts whose provider is away, loses answers, and sends events late, twice and in any order, each is charged and posted once, or nothing of both`, async () => {
  const customers: (Customer & { isDeclined: boolean; isDisputed: boolean })[] = []
  for (let place = 0; place < COUNT; place += 1) {
    const customer = await buyer(test, 1n)
    const isDeclined = place % 5 === 4
    await fillsItself(test, customer, isDeclined ? 'declines' : 'pays', wishes)
    customers.push({ ...customer, isDeclined, isDisputed: place % 4 === 1 && !isDeclined })
  }
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([goOnTwice(), sendEvents(0.3)])
    await sendEvents(0.3)
  }
  // A dispute may be told of before the payment.
  for (const one of customers.filter(({ isDisputed }) => isDisputed)) {
    const { id } = must((await runsOf(one))[0])
    // A provider that was away all the time has taken nothing that could be disputed.
    one.isDisputed = charged.has(id)
    if (!one.isDisputed) continue
    await delivered(paymentEvent(id, 'charged_back', { id: `back-${id}`, stops_method: true }))
  }
  isOdd = false
  for (let round = 0; round < 2; round += 1) {
    await goOnTwice()
    await sendEvents(1)
    await sweepRuns(test.app)
  }
  expect(await openRuns()).toEqual([])
  for (const one of customers) {
    const runs = await runsOf(one)
    const movements = await movementsOf(one)
    const posted = movements.filter((movement) => movement === `fill_balance ${AMOUNT}`).length
    const taken = movements.filter((movement) => movement === `charge_back -${AMOUNT}`).length
    const times = runs.filter(({ id }) => charged.has(id)).length
    const { isDeclined, isDisputed } = one
    const { state, reason } = await autoTopUpOf(one)
    expect({ runs: runs.map((run) => run.state), times, posted, taken, state, reason }).toEqual({
      runs: [isDeclined ? 'declined' : isDisputed ? 'returned' : 'paid'],
      times: isDeclined ? 0 : 1,
      posted: isDeclined ? 0 : 1,
      taken: isDisputed ? 1 : 0,
      state: isDisputed ? 'paused' : 'active',
      reason: isDisputed ? 'disputed' : null,
    })
  }
  expect(charged.size).toBe(customers.filter(({ isDeclined }) => !isDeclined).length)
  expect((await checkLedger(test.app.ownerUrl)).damages).toEqual([])
}, 600_000)

it('a look that has waited for another one begins nothing, if that one has planned the next look', async () => {
  const customer = await buyer(test, 1n)
  await fillsItself(test, customer, 'pays', wishes)
  const other = new pg.Client({ connectionString: test.app.ownerUrl })
  await other.connect()
  await other.query(`begin; set local app.actor = 'system'`)
  await other.query(`select pg_advisory_xact_lock(hashtextextended('automatic top-up:' || $1, 0))`, [
    customer.user_id,
  ])
  const look = fillBalances(test.app)
  await expect
    .poll(() =>
      asOwner(
        test,
        `select from pg_locks join pg_database d on d.oid = database and datname = current_database() where locktype = 'advisory' and not granted`,
      ),
    )
    .toHaveLength(1)
  await other.query(`update auto_top_ups set look_at = now() + interval '1 day' where user_id = $1`, [
    customer.user_id,
  ])
  await other.query('commit')
  await other.end()
  await look
  expect(await runsOf(customer)).toEqual([])
})

it('the answer of a provider whose event came before it changes nothing', async () => {
  const customer = await buyer(test, 1n)
  await fillsItself(test, customer, 'pays', wishes)
  await fillBalances(test.app)
  const { id } = must((await runsOf(customer))[0])
  charge.mockImplementationOnce(async (_app, { public_id }) => {
    await delivered(paymentEvent(public_id, 'paid', { id: `paid-${public_id}` }))
    return { reference: `pi_${public_id}`, reason: '', isFinal: false, url: null, state: 'under_way' }
  })
  await chargeRun.run(test.app, { run: id }, 'tests')
  expect((await runsOf(customer)).map(({ state }) => state)).toEqual(['paid'])
})
