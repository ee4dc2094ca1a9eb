import { expect } from 'vitest'
import { endAutoTopUp, type AutoTopUp, type AutoTopUpRun } from '#features/auto-top-ups/contract.ts'
import type { TestMethod } from '#features/finance/server/providers/test-methods.ts'
import { fillBalances } from '#features/sales/server/fill-balances.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { autoTopUpOf, runsOf, turnOn } from '#tests/harness/auto-top-ups.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { savedMethod } from '#tests/harness/methods.ts'
import { payIn } from './lots.ts'
import { renewalsOf } from './offers.ts'
import { tell } from './payments.ts'
import { CAP, type AutoTopUpWish, type Person, type World } from './story.ts'

/** The smallest and the largest payment, in minor units. */
const [LEAST, LARGEST] = [500n, 5_000_00n]
/** No more runs begin in 24 hours. */
const MOST_A_DAY = 3

export type Choice = AutoTopUpWish & { way: TestMethod; off: boolean }

/** A customer saves a method and has the balance fill itself from it, or ends that. */
export async function fillItself(
  person: Person,
  { installation }: World,
  { way, off, ...filling }: Choice,
): Promise<string> {
  const { customer } = person
  if (off) {
    expect((await customer.api.call(endAutoTopUp, {})).status).toBe(204)
    person.filling = undefined
    return 'off'
  }
  const id = await savedMethod(installation, customer, way)
  person.methods.push({ id, way })
  const { cents, month_limit } = filling
  const eur = (amount: bigint) => toMoney(amount, 'EUR')
  const kind = cents
    ? ({ kind: 'threshold', threshold: eur(cents.threshold), amount: eur(cents.amount) } as const)
    : { kind: 'cover' as const }
  bodyOf(await turnOn(customer, id, { ...kind, month_limit: eur(month_limit) }), 200)
  person.filling = filling
  return `on, by a method that ${way}`
}

/**
 * Looks at the balances; `isLookedAt` is true where days have passed, so that all are due for a look. Returns how many runs begin, and expects
 * of each that it charges what is wanted, and no more than a limit leaves.
 */
export async function beginRuns(
  people: readonly Person[],
  { installation }: World,
  isLookedAt: boolean,
): Promise<number> {
  const filling = people.filter((person) => person.filling)
  const before = []
  for (const { customer } of filling)
    before.push({ set: await autoTopUpOf(customer), runs: await runsOf(customer) })
  await fillBalances(installation.app)
  let begun = 0
  for (const [place, person] of filling.entries())
    begun += await judgeRun(person, must(person.filling), must(before[place]), isLookedAt)
  return begun
}

async function judgeRun(
  person: Person,
  filling: AutoTopUpWish,
  before: { set: AutoTopUp; runs: readonly AutoTopUpRun[] },
  isLookedAt: boolean,
): Promise<number> {
  const { customer, runs } = person
  const found = (await runsOf(customer)).filter(({ id }) => !runs.has(id))
  expect(found.length).toBeLessThanOrEqual(1)
  const [run] = found
  if (!run) {
    const isReady = isLookedAt && before.set.state === 'active' && !before.set.open_run
    if (isReady && mustFill(person, filling, before.runs))
      expect(await autoTopUpOf(customer)).not.toMatchObject({ state: 'active', reason: null })
    return 0
  }
  expect(before.set).toMatchObject({ state: 'active', open_run: null })
  runs.set(run.id, 'open')
  const amount = BigInt(run.amount.amount)
  const { used } = await autoTopUpOf(customer)
  expect(BigInt(used.amount)).toBeLessThanOrEqual(filling.month_limit)
  expect(person.balance + amount).toBeLessThanOrEqual(CAP)
  expect(amount).toBeLessThanOrEqual(LARGEST)
  if (filling.cents) {
    expect(amount).toBe(filling.cents.amount)
    expect(person.balance).toBeLessThan(filling.cents.threshold)
  } else expect(missingSums(person)).toContain(amount)
  return 1
}

/** True if an amount below a threshold must be charged, since no limit is near. */
function mustFill(
  { balance }: Person,
  { cents, month_limit }: AutoTopUpWish,
  runs: readonly AutoTopUpRun[],
): boolean {
  const all = runs.reduce((sum, { amount }) => sum + BigInt(amount.amount), 0n)
  return (
    cents !== undefined &&
    balance < cents.threshold &&
    balance + cents.amount <= CAP &&
    all + cents.amount <= month_limit &&
    runs.length < MOST_A_DAY &&
    // One that was declined is tried again some days later.
    runs.every(({ state }) => state !== 'declined')
  )
}

/** Returns every amount that some of the renewals to come may lack. */
function missingSums(person: Person): bigint[] {
  let sums = [0n]
  for (const host of person.hosts.filter(({ auto_renew }) => auto_renew)) {
    const more = renewalsOf(person, host).flatMap(({ total }) => sums.map((sum) => sum + total))
    sums = [...new Set([...sums, ...more])]
  }
  return sums
    .map((sum) => sum - person.balance)
    .filter((missing) => missing > 0n)
    .map((missing) => (missing > LEAST ? missing : LEAST))
}

/** Counts the money of cards that were charged: their provider has told of it. */
export async function countRuns(person: Person): Promise<void> {
  for (const run of await runsOf(person.customer))
    if (['paid', 'returned'].includes(run.state) && person.runs.get(run.id) === 'open') come(person, run)
}

/** The provider tells that money of runs which were under way, or waited for their customer, has come: at once, later, or again. */
export async function tellOfRuns(person: Person, world: World, times: number): Promise<void> {
  if (times === 0) return
  for (const run of await runsOf(person.customer)) {
    if (!['under_way', 'action_needed', 'cancelled', 'expired', 'paid'].includes(run.state)) continue
    await tell(world, { kind: 'paid', top_up: run.id }, times)
    if (must(person.runs.get(run.id)) === 'open') come(person, run)
  }
}

/** Counts the money of a run. */
export function come(person: Person, { id, amount }: AutoTopUpRun): void {
  person.runs.set(id, 'paid')
  payIn(person, id, BigInt(amount.amount))
}
