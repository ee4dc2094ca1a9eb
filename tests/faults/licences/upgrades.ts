import { must } from '#foundation/must.ts'
import {
  ahead,
  buyerOf,
  credit,
  last,
  monthsLater,
  nearest,
  planAtEnd,
  planChange,
  planOf,
  priceAt,
  sell,
  withVat,
  type Clock,
  type Model,
  type Period,
  type Side,
} from './model.ts'
import { rise } from './debts.ts'
import { moveUp, planStep, watchEnd } from './renewals.ts'

// The model of upgrades: each shortened period is credited for its unused time, and that time is bought with the new plan.

type Amounts = { net: bigint; vat: bigint; total: bigint }
type Bought = Pick<Period, 'ends' | 'term_starts' | 'anchor'>
type Exchange = { period: Period; from: number; bought: Bought; note: Amounts; price: Amounts }
export type Upgrade = { buyer: Side; exchanges: Exchange[]; credit: bigint; charge: bigint; pay_now: bigint }

export type Wish = { plan: string; all: boolean }

/** Returns the code of a refusal, or the sums of an upgrade at `as_of` of the periods that run at `now` or later. */
export function planUpgrade(
  model: Model,
  { plan: slug, all }: Wish,
  { now, as_of }: { now: number; as_of: number },
): { refused: string } | Upgrade {
  if (model.suspended) return { refused: 'host_suspended' }
  const plan = planOf(model, slug)
  const rankOf = (edition: string) => must(model.editions.get(edition)).rank
  const left = ahead(model, now)
  // A trial is the only period of its upgrade, which may be to a plan of any term.
  const isTried = left[0]?.kind === 'trial'
  const lower = left
    .slice(0, all && !isTried ? undefined : 1)
    .filter(
      ({ months, edition }) => (isTried || months === plan.months) && rankOf(edition) < rankOf(plan.edition),
    )
  if (lower.length === 0) return { refused: 'not_an_upgrade' }
  const buyer = buyerOf(model, false)
  const list = priceAt(plan, 'from', now)
  const exchanges = lower.map((period): Exchange => {
    const from = Math.max(as_of, period.starts)
    const { rate_bp } = model[buyer]
    if (isTried)
      return {
        period,
        from,
        bought: wholeTerm(plan.months, from),
        note: NOTHING,
        price: withVat(list, rate_bp),
      }
    const rest = BigInt(period.ends - from)
    const unused = nearest(period.sale.left.net, rest, BigInt(period.ends - period.starts))
    const price = withVat(nearest(list, rest, BigInt(period.ends - period.term_starts)), rate_bp)
    return { period, from, bought: { ...period }, note: noteOver(period.sale, unused), price }
  })
  if (exchanges.some(({ price }) => price.net === 0n)) return { refused: 'too_little_left' }
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const charge = sum(exchanges.map(({ price }) => price.total))
  const own = exchanges.filter(({ period }) => period.sale.buyer === buyer)
  return {
    buyer,
    exchanges,
    credit: sum(exchanges.map(({ note }) => note.total)),
    charge,
    pay_now: charge - sum(own.map(({ note }) => note.total)),
  }
}

/** Returns a whole term from `from` on. An upgrade of a trial buys it at its full price, since a trial has nothing to credit. */
function wholeTerm(months: number, from: number): Bought {
  const anchor = new Date(from).getUTCDate()
  return { ends: monthsLater(from, months, anchor), term_starts: from, anchor }
}

const NOTHING: Amounts = { net: 0n, vat: 0n, total: 0n }

/** Returns the sums of a credit note over this net and its VAT, at most what earlier credit notes have left of the sale. */
function noteOver({ left, rate_bp }: Period['sale'], net: bigint): Amounts {
  if (net === 0n) return NOTHING
  const { vat, total } = withVat(net, rate_bp)
  if (net >= left.net || total > left.total) return { ...left }
  return vat <= left.vat ? { net, vat, total } : { net: total - left.vat, vat: left.vat, total }
}

/**
 * Returns the code of a refusal for want of money, or undefined. Money that comes back to the buyer counts first; towards the limit
 * of a month, only money that this agreement has paid counts.
 */
export function lacksMoney(model: Model, { buyer, exchanges, charge }: Upgrade): string | undefined {
  const { agreement } = model
  const backTo = (is: (sale: Period['sale']) => boolean) =>
    exchanges.reduce((sum, { period: { sale }, note }) => sum + (is(sale) ? note.total : 0n), 0n)
  if (buyer === 'payer' && agreement && agreement.limit !== null) {
    const back = backTo((sale) => sale.agreement === agreement.id)
    if ((model.spent.get(agreement.id) ?? 0n) - back + charge > agreement.limit)
      return 'payment_limit_reached'
  }
  return model[buyer].balance + backTo((sale) => sale.buyer === buyer) < charge
    ? 'insufficient_balance'
    : undefined
}

/** Makes all credits, then all charges. The end of the licence stays, except after a trial: the paid periods behind it move. */
export function upgrade(model: Model, { plan: slug }: Wish, planned: Upgrade, clock: Clock): void {
  const before = planAtEnd(model)
  const now = clock.now
  for (const { period, note } of planned.exchanges) {
    if (note.total === 0n) continue
    credit(model, period.sale, note)
    rise(model, period.sale.buyer, now)
  }
  const { edition, months } = planOf(model, slug)
  const { rate_bp } = model[planned.buyer]
  const behind = ahead(model, now).slice(1)
  const end = last(model)?.ends
  for (const { period, from, bought: time, price } of planned.exchanges) {
    clock.ordered()
    const { ends, term_starts, anchor } = time
    Object.assign(period, { ends: from, ended: 'upgraded' })
    const sale = sell(model, planned.buyer, price, rate_bp)
    const bought = { ...must(model.editions.get(edition)).entitlements }
    const what = { sale, kind: 'upgrade', plan: slug, edition, months, bought } as const
    model.periods.push({ ...what, starts: from, ends, term_starts, anchor, ended: null })
    if (period.kind === 'trial') moveUp(behind, time)
  }
  model.choice = null
  if (!model.watch || last(model)?.ends !== end || last(model)?.plan !== before) return watchEnd(model, now)
  model.watch.plan_changes = planChange(model, now)
  planStep(model)
}
