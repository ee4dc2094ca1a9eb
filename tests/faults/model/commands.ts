import fc from 'fast-check'
import { goods, type Slug } from '#tests/harness/shop.ts'
import { checkOut } from './checkouts.ts'
import { killAndRestart, leave } from './ends.ts'
import * as licences from './licences.ts'
import * as payments from './payments.ts'
import { payOut } from './payouts.ts'
import { expectBalances, pick, type Story, type World } from './story.ts'
import { must } from '#foundation/must.ts'

export type Command = fc.AsyncCommand<Story, World>

const who = fc.nat(2)
const which = fc.nat(1000)
const plan = fc.constantFrom(...(Object.keys(goods) as Slug[]))
const cents = (least: bigint, most: bigint) => fc.bigInt(least, most)
const checkout = fc.record({
  who,
  which,
  plan,
  renews: fc.boolean(),
  told: fc.integer({ min: 1, max: 3 }),
  meanwhile: fc.constantFrom('nothing' as const, 'nothing' as const, 'cancels' as const, 'topsUp' as const),
})
const payout = fc.record({
  who,
  percent: fc.constantFrom(100n, 50n, 1n),
  ends: fc.constantFrom('waits' as const, 'sent' as const, 'failed' as const, 'returned' as const),
})
const part = fc.option(cents(1n, 20_000n), { nil: undefined })

/**
 * The steps of a story; `did` counts their outcomes. `any` is any step: each is allowed at any time, and does nothing if it finds nothing to
 * act on. `opening` is what every story begins with, so that a few short stories, too, have a licence that was paid and renewed.
 */
export function commands(did: Map<string, number>): { opening: Command[]; any: fc.Arbitrary<Command> } {
  /** Makes a step of this weight; `words` generates the arguments of `act`. */
  const step = <Words>(
    weight: number,
    name: string,
    words: fc.Arbitrary<Words>,
    act: (story: Story, world: World, words: Words) => Promise<string>,
  ) => {
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
  const topUp = step(
    18,
    'top up',
    fc.record({ who, amount: cents(500n, 500_000n), told: fc.integer({ min: 1, max: 3 }) }),
    (story, world, words) => payments.topUp(person(story, words.who), world, words),
  )
  const order = step(
    18,
    'order',
    fc.record({ who, which, plan, atOnce: fc.integer({ min: 1, max: 4 }) }),
    (story, _world, words) => licences.order(person(story, words.who), story, words),
  )
  const renew = step(
    18,
    'renew',
    fc.record({ who, which, plan, atOnce: fc.integer({ min: 1, max: 3 }) }),
    (story, _world, words) => licences.renew(person(story, words.who), story, words),
  )
  const first = { who: 0, which: 0, plan: 'standard-month', atOnce: 1 } as const
  const opening = [
    topUp.command({ who: 0, amount: 10_000n, told: 1 }),
    order.command(first),
    renew.command(first),
  ]
  const any = fc.oneof(
    topUp,
    step(6, 'voucher', fc.record({ who, which }), (story, _world, words) =>
      payments.redeem(person(story, words.who), story, words.which),
    ),
    order,
    renew,
    step(12, 'automatic renewal', fc.record({ who, which, on: fc.boolean() }), (story, _world, words) =>
      licences.setAutoRenew(person(story, words.who), words.which, words.on),
    ),
    step(18, 'wait', fc.integer({ min: 1, max: 40 }), licences.wait),
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
    step(15, 'checkout', checkout, (story, world, words) =>
      checkOut(person(story, words.who), story, world, words),
    ),
    step(6, 'payout', payout, async (story, world, words) => {
      const found = person(story, words.who)
      const { outcome, left } = await payOut(found, world, words)
      found.balance -= left
      return outcome
    }),
    step(3, 'delete host', fc.record({ who, which }), (story, _world, words) =>
      licences.removeHost(person(story, words.who), words.which),
    ),
    step(3, 'delete account', who, leave),
    step(1, 'kill and restart', fc.nat(60), killAndRestart),
  )
  return { opening, any }
}
