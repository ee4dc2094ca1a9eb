import fc from 'fast-check'

/** The acts of a history. Each act is allowed at any time: it uses the things that exist, and is refused if there are none. */
export type Act =
  | { act: 'order'; plan: number; meanwhile: Meanwhile }
  /** `higher` is the number of editions above the present one, with the same term; if it is null, `plan` names any plan. */
  | { act: 'upgrade'; plan: number; higher: number | null; all: boolean; meanwhile: Meanwhile }
  | { act: 'plan at the end'; plan: number; on: boolean | null; meanwhile: Meanwhile }
  | { act: 'trial'; plan: number }
  | { act: 'bulk'; does: Bulk; plan: number | null; on: boolean; meanwhile: Meanwhile }
  | { act: 'switch'; on: boolean }
  | { act: 'wait'; days: number; step: number | null }
  | { act: 'refund'; which: number; share: number }
  | { act: 'reissue'; which: number; country: string }
  | { act: 'top up'; side: 'owner' | 'payer'; amount: number }
  | { act: 'charge back'; side: 'owner' | 'payer'; which: number; share: number }
  /** A payout of this share of what is payable, in percent; above 100 it is refused. */
  | { act: 'pay out'; side: 'owner' | 'payer'; share: number }
  | { act: 'agree'; pays: 'renewals' | 'all'; limit: number | null }
  | { act: 'limit'; limit: number | null }
  | { act: 'end agreement'; side: 'owner' | 'payer'; keeps: boolean }
  | { act: 'price'; plan: number; net: number; days: number | null }
  | { act: 'edition'; edition: number; key: string; value: boolean | number | string | null }
  | { act: 'suspend' }
  | { act: 'resume' }
  /** The server goes to the account that has been the payer so far. */
  | { act: 'transfer' }

/** The acts for many servers at once, here for the single server of a history. */
type Bulk = 'renew' | 'upgrade' | 'auto_renew' | 'renewal_plan'

/** The act between the page that shows a price and the click that pays it; null for none. */
export type Meanwhile = Act | null

/** Prices small enough that rounding shows, and large enough that balances run out. */
const net = fc.constantFrom(1, 7, 99, 133, 999, 1337, 2971, 7919, 19_900)
const plan = fc.nat(8)
const which = fc.nat(9)
const side = fc.constantFrom('owner' as const, 'payer' as const)
const limit = fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: null })
const key = fc.constantFrom('api', 'machines.most', 'support', 'seats')
const value = fc.constantFrom(true, false, 3, 20, 'mail', 'phone', null)

const step = fc.constantFrom(-7, -3, -1, 0, 1, 2, 3, 9)
const wait = fc.record({
  act: fc.constant('wait' as const),
  days: fc.oneof(
    fc.double({ min: 0.01, max: 40, noNaN: true }),
    fc.double({ min: 0.01, max: 400, noNaN: true }),
  ),
  step: fc.option(step, { nil: null, freq: 3 }),
})
const refund = fc.record({
  act: fc.constant('refund' as const),
  which,
  share: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constant(100)),
})
const priced = fc.record({
  act: fc.constant('price' as const),
  plan,
  net,
  days: fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
})
const ending = fc.record({ act: fc.constant('end agreement' as const), side, keeps: fc.boolean() })
const limited = fc.record({ act: fc.constant('limit' as const), limit })
const reissued = fc.record({
  act: fc.constant('reissue' as const),
  which,
  country: fc.constantFrom('DE', 'FI', 'LU', 'US'),
})
const agreed = fc.record({
  act: fc.constant('agree' as const),
  pays: fc.constantFrom('renewals' as const, 'all' as const),
  limit,
})
const chargedBack = fc.record({
  act: fc.constant('charge back' as const),
  side,
  which,
  share: fc.integer({ min: 1, max: 100 }),
})
const paidOut = fc.record({
  act: fc.constant('pay out' as const),
  side,
  share: fc.integer({ min: 1, max: 120 }),
})
const tried = fc.record({ act: fc.constant('trial' as const), plan })
/** A wait of some minutes, below or above the 15 minutes for which a preview is valid. */
const short = fc.record({
  act: fc.constant('wait' as const),
  days: fc.constantFrom(2, 6, 10, 14, 16, 20).map((minutes) => minutes / 1440),
  step: fc.constant(null),
})
const meanwhile: fc.Arbitrary<Meanwhile> = fc.option(
  fc.oneof(
    priced,
    ending,
    refund,
    short,
    limited,
    reissued,
    agreed,
    chargedBack,
    paidOut,
    tried,
    fc.constant({ act: 'suspend' as const }),
  ),
  { nil: null, freq: 2 },
)

const acts = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('order' as const), plan, meanwhile }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('upgrade' as const),
      plan,
      higher: fc.option(fc.integer({ min: 1, max: 2 }), { nil: null, freq: 6 }),
      all: fc.boolean(),
      meanwhile,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('plan at the end' as const),
      plan,
      on: fc.option(fc.boolean(), { nil: null }),
      meanwhile,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('bulk' as const),
      does: fc.constantFrom<Bulk>('renew', 'upgrade', 'upgrade', 'auto_renew', 'renewal_plan'),
      plan: fc.option(plan, { nil: null, freq: 1 }),
      on: fc.boolean(),
      meanwhile,
    }),
  },
  { weight: 2, arbitrary: tried },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('switch' as const), on: fc.boolean() }) },
  { weight: 7, arbitrary: wait },
  { weight: 4, arbitrary: refund },
  { weight: 1, arbitrary: reissued },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('top up' as const),
      side,
      amount: fc.integer({ min: 1, max: 40_000 }),
    }),
  },
  { weight: 2, arbitrary: chargedBack },
  { weight: 2, arbitrary: paidOut },
  { weight: 2, arbitrary: agreed },
  { weight: 1, arbitrary: limited },
  { weight: 2, arbitrary: ending },
  { weight: 2, arbitrary: priced },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('edition' as const), edition: fc.nat(2), key, value }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'suspend' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'resume' as const }) },
  { weight: 2, arbitrary: fc.constant({ act: 'transfer' as const }) },
)

/**
 * A history begins with the countries and the money of the owner and the payer, the prices, and the days for which each edition may
 * be tried. Its first act is an order or a trial.
 */
export type History = {
  countries: { owner: string; payer: string }
  money: { owner: number; payer: number }
  nets: number[]
  trials: number[]
  acts: Act[]
}

const country = fc.constantFrom('DE', 'FI', 'LU', 'US')
const money = fc.oneof(fc.integer({ min: 100, max: 20_000 }), fc.integer({ min: 20_000, max: 200_000 }))

const first: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('order' as const),
      plan: fc.nat(5),
      meanwhile: fc.constant(null),
    }),
  },
  { weight: 1, arbitrary: tried },
)

export const history: fc.Arbitrary<History> = fc.record({
  countries: fc.record({ owner: country, payer: country }),
  money: fc.record({ owner: money, payer: money }),
  nets: fc.array(net, { minLength: 9, maxLength: 9 }),
  trials: fc.array(fc.constantFrom(0, 1, 7, 14, 30), { minLength: 3, maxLength: 3 }),
  acts: fc
    .tuple(first, fc.array(acts, { minLength: 4, maxLength: 12 }))
    .map(([begins, rest]): Act[] => [begins, ...rest]),
})
