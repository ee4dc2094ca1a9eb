import type fc from 'fast-check'
import type { Slug } from '#tests/harness/shop.ts'
import type { Wanted } from './checkouts.ts'
import type { Given } from './offers.ts'
import type { PayOut } from './payouts.ts'
import type { Choice } from './runs.ts'
import type { Story, World } from './story.ts'

export type Command = fc.AsyncCommand<Story, World>
/** An order of a plan without extras, several at once. */
export type Plain = { who: number; which: number; plan: Slug; atOnce: number }

type Step<Words> = { command: (words: Words) => Command }
type Opening = {
  topUp: Step<{ who: number; amount: bigint; told: number }>
  order: Step<Plain>
  renew: Step<Plain>
  ofAnyKind: Step<Given & { who: number; atOnce: number }>
  checkout: Step<Wanted & { who: number }>
  payout: Step<PayOut & { who: number }>
  fills: Step<Choice & { who: number }>
  renewsItself: Step<{ who: number; which: number; on: boolean }>
  waits: Step<{ days: number; told: number }>
}

/**
 * One customer has a licence that was paid and renewed; one a server with extras and a promo code, which renews by itself from a card; and
 * one is paid all of their money, and orders a program with it.
 */
export function openingOf({
  topUp,
  order,
  renew,
  ofAnyKind,
  checkout,
  payout,
  fills,
  renewsItself,
  waits,
}: Opening) {
  const first = { who: 0, which: 0, plan: 'standard-month', atOnce: 1 } as const
  const rich = { which: 1, plan: 'rich-month', named: { seats: 3, once: 1 }, code: 0, renews: false } as const
  const program = {
    which: 2,
    plan: 'agent-solo-month',
    named: { seats: 2, once: 1 },
    code: 1,
    renews: false,
  } as const
  return [
    topUp.command({ who: 0, amount: 10_000n, told: 1 }),
    order.command(first),
    renew.command(first),
    payout.command({ who: 2, percent: 100n, ends: 'sent' }),
    checkout.command({ who: 2, ...program, saved: false, told: 2, meanwhile: 'nothing' }),
    ofAnyKind.command({ who: 1, ...rich, atOnce: 1 }),
    renewsItself.command({ who: 1, which: 0, on: true }),
    fills.command({ who: 1, way: 'pays', off: false, cents: undefined, month_limit: 100_000n }),
    payout.command({ who: 1, percent: 100n, ends: 'sent' }),
    waits.command({ days: 30, told: 1 }),
  ]
}
