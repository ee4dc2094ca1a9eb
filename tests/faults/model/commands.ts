import fc from 'fast-check'
import { testMethods, type TestMethod } from '#features/finance/server/providers/test-methods.ts'
import { goods, type Slug } from '#tests/harness/shop.ts'
import { checkOut } from './checkouts.ts'
import { killAndRestart, leave } from './ends.ts'
import { MOST, plans, type PlanSlug } from './goods.ts'
import * as licences from './licences.ts'
import type { Given } from './offers.ts'
import { openingOf, type Command, type Plain } from './opening.ts'
import * as payments from './payments.ts'
import { payOut } from './payouts.ts'
import { buy } from './purchases.ts'
import { fillItself } from './runs.ts'
import { wait } from './waiting.ts'
import { expectBalances, pick, type Story, type World } from './story.ts'
import { must } from '#foundation/must.ts'

const who = fc.nat(2)
const which = fc.nat(1000)
const plan = fc.constantFrom(...(Object.keys(goods) as Slug[]))
const cents = (least: bigint, most: bigint) => fc.bigInt(least, most)
const given: { [Field in keyof Given]: fc.Arbitrary<Given[Field]> } = {
  which,
  plan: fc.constantFrom(...(Object.keys(plans) as PlanSlug[])),
  named: fc.option(fc.record({ seats: fc.nat(MOST), once: fc.nat(2) }), { nil: undefined }),
  // Three codes, or none.
  code: fc.nat(6),
  renews: fc.boolean(),
}
const checkouts = fc.record({
  who,
  ...given,
  saved: fc.boolean(),
  told: fc.integer({ min: 1, max: 3 }),
  meanwhile: fc.constantFrom('nothing' as const, 'nothing' as const, 'cancels' as const, 'topsUp' as const),
})
const filling = fc.record({
  who,
  way: fc.constantFrom(...(Object.keys(testMethods) as TestMethod[])),
  off: fc.nat(4).map((one) => one === 0),
  cents: fc.option(fc.record({ threshold: cents(500n, 90_000n), amount: cents(500n, 20_000n) }), {
    nil: undefined,
  }),
  month_limit: cents(20_000n, 200_000n),
})
const payouts = fc.record({
  who,
  percent: fc.constantFrom(100n, 50n, 1n),
  ends: fc.constantFrom('waits' as const, 'sent' as const, 'failed' as const, 'returned' as const),
})
const plain = (most: number): fc.Arbitrary<Plain> =>
  fc.record({ who, which, plan, atOnce: fc.integer({ min: 1, max: most }) })
const part = fc.option(cents(1n, 20_000n), { nil: undefined })

const nothingMore = { named: undefined, code: undefined } as const

type Act<Words> = (story: Story, world: World, words: Words) => Promise<string>

/** Makes a step of this weight; `words` generates the arguments of `act`, and `did` counts the outcomes. */
function stepIn<Words>(
  did: Map<string, number>,
  weight: number,
  name: string,
  words: fc.Arbitrary<Words>,
  act: Act<Words>,
) {
  const command = (given: Words): Command => ({
    check: () => true,
    async run(story, world) {
      const outcome = `${name}: ${await act(story, world, given)}`
      did.set(outcome, (did.get(outcome) ?? 0) + 1)
      await expectBalances(story, world)
    },
    toString: () => `${name} ${fc.stringify(given)}`,
  })
  return { weight, arbitrary: words.map(command), command }
}

const person = (story: Story, place: number) => must(pick(story.people, place))

/**
 * The steps of a story; `did` counts their outcomes. `any` is any step: each is allowed at any time, and does nothing if it finds nothing to
 * act on. `opening` is what every story begins with, so that a few short stories, too, have all that is sold and all ways to pay.
 */
export function commands(did: Map<string, number>): { opening: Command[]; any: fc.Arbitrary<Command> } {
  const step = <Words>(weight: number, name: string, words: fc.Arbitrary<Words>, act: Act<Words>) =>
    stepIn(did, weight, name, words, act)
  const topUp = step(
    18,
    'top up',
    fc.record({ who, amount: cents(500n, 500_000n), told: fc.integer({ min: 1, max: 3 }) }),
    (story, world, words) => payments.topUp(person(story, words.who), world, words),
  )
  const order = step(18, 'order', plain(4), (story, _world, words) =>
    buy(person(story, words.who), story, { ...words, ...nothingMore, renews: false }),
  )
  const renew = step(18, 'renew', plain(3), (story, _world, words) =>
    buy(person(story, words.who), story, { ...words, ...nothingMore, renews: true }),
  )
  const ofAnyKind = step(
    18,
    'order of any kind',
    fc.record({ who, ...given, atOnce: fc.integer({ min: 1, max: 2 }) }),
    (story, _world, words) => buy(person(story, words.who), story, words),
  )
  const checkout = step(15, 'checkout', checkouts, (story, world, words) =>
    checkOut(person(story, words.who), story, world, words),
  )
  const payout = step(6, 'payout', payouts, (story, world, words) =>
    payOut(person(story, words.who), world, words),
  )
  const fills = step(8, 'fills itself', filling, (story, world, words) =>
    fillItself(person(story, words.who), world, words),
  )
  const renewsItself = step(
    12,
    'automatic renewal',
    fc.record({ who, which, on: fc.boolean() }),
    (story, _world, words) => licences.setAutoRenew(person(story, words.who), words.which, words.on),
  )
  const waits = step(18, 'wait', fc.record({ days: fc.integer({ min: 1, max: 40 }), told: fc.nat(2) }), wait)
  const known = { topUp, order, renew, ofAnyKind, checkout, payout, fills, renewsItself, waits }
  return { opening: openingOf(known), any: fc.oneof(...Object.values(known), ...othersOf(step)) }
}

/** The steps that no story begins with. */
const othersOf = (
  step: <Words>(
    weight: number,
    name: string,
    words: fc.Arbitrary<Words>,
    act: Act<Words>,
  ) => { weight: number; arbitrary: fc.Arbitrary<Command> },
) => [
  step(6, 'voucher', fc.record({ who, which }), (story, _world, words) =>
    payments.redeem(person(story, words.who), story, words.which),
  ),
  step(6, 'move', fc.record({ who, which }), (story, _world, words) =>
    licences.move(person(story, words.who), story, words.which),
  ),
  step(15, 'refund', fc.record({ who: fc.nat(9), which, amount: part }), payments.refund),
  step(9, 'charge back', fc.record({ who, which, amount: part }), (story, world, words) =>
    payments.chargeBack(person(story, words.who), world, words),
  ),
  step(3, 'reinstate', fc.record({ who, which }), (story, world, words) =>
    payments.reinstate(person(story, words.who), world, words.which),
  ),
  step(3, 'delete host', fc.record({ who, which }), (story, _world, words) =>
    licences.removeHost(person(story, words.who), words.which),
  ),
  step(3, 'delete account', who, leave),
  step(1, 'kill and restart', fc.nat(60), killAndRestart),
]
