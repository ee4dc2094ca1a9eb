import { must } from '#foundation/must.ts'

// The model computes the licence and its money as they should be, independently of the product: times in milliseconds, shares as
// exact fractions.

export type Side = 'owner' | 'payer'
export type Entitlements = Readonly<Record<string, boolean | number | string>>
type Sums = { net: bigint; vat: bigint; total: bigint }

/** A single sale; `left` is what no credit note has taken yet. */
export type Sale = {
  transaction_id: string
  buyer: Side
  agreement: string | null
  rate_bp: bigint
  total: bigint
  left: Sums
}

export type Period = {
  /** The sale of a trial has sums of zero: it has no charge and no invoice. */
  sale: Sale
  kind: 'order' | 'renewal' | 'auto_renewal' | 'upgrade' | 'trial'
  plan: string
  edition: string
  months: number
  starts: number
  ends: number
  term_starts: number
  anchor: number
  ended: 'refunded' | 'upgraded' | null
  /** The entitlements that the edition had when the period was bought. */
  bought: Entitlements
}

type Price = { net: bigint; from: number; renewals_from: number }
export type Plan = { slug: string; edition: string; months: number; prices: Price[] }
export type Edition = { slug: string; rank: number; trial_days: number; entitlements: Entitlements }

export type Debt = { began: number; done_day: number | null; last_step: number | null }
export type Account = {
  rate_bp: bigint
  balance: bigint
  payments: { id: string; left: bigint }[]
  debt: Debt | null
  /** The editions that this account has tried. */
  tried: Set<string>
}

type Agreement = { id: string; pays: 'renewals' | 'all'; limit: bigint | null; version: number }

export type Watch = {
  ends: number
  is_trial: boolean
  done_days: number | null
  refusal: string | null
  announced: bigint | null
  plan_changes: number | null
  next: number | null
}

export type JobKey = 'debt:owner' | 'debt:payer' | 'licence' | 'renew'

export type Model = {
  plans: Map<string, Plan>
  editions: Map<string, Edition>
  owner: Account
  payer: Account
  agreement: Agreement | null
  /** The ids of agreements between the two sides whose server went to another owner; they go on without a server. */
  without_server: string[]
  /** The money that each agreement has paid in this month, less what came back. */
  spent: Map<string, bigint>
  periods: Period[]
  suspended: 'staff' | 'debt' | null
  auto_renew: boolean
  choice: string | null
  watch: Watch | null
  /** The times at which the jobs of this licence are due. */
  jobs: Map<JobKey, number>
}

/** The times at which the product acted: an order carries its own time, everything else happened at `now`. */
export type Clock = {
  now: number
  /** Takes the time of the next order; `peek` reads the time without taking it. */
  ordered: () => number
  peek: () => number
}

export const DAY = 86_400_000

/** Returns `value · part / whole`, rounded to the nearest unit, halves up. */
export function nearest(value: bigint, part: bigint, whole: bigint): bigint {
  const exact = value * part
  const down = exact / whole
  return 2n * (exact - down * whole) >= whole ? down + 1n : down
}

export const withVat = (net: bigint, rate_bp: bigint): Sums => {
  const vat = nearest(net, rate_bp, 10_000n)
  return { net, vat, total: net + vat }
}

/** Returns the time so many calendar months later in UTC, on the anchor day or on the last day of a shorter month. */
export function monthsLater(from: number, months: number, anchor: number): number {
  const date = new Date(from)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const day = Math.min(anchor, new Date(Date.UTC(year, month + 1, 0)).getUTCDate())
  return Date.UTC(year, month, day) + (from % DAY)
}

/** Returns the periods that count, by their start. A period that was cut to nothing does not count. */
export const running = ({ periods }: Pick<Model, 'periods'>): Period[] =>
  periods.filter(({ starts, ends }) => ends > starts).toSorted((one, other) => one.starts - other.starts)

export const last = (model: Model): Period | undefined => running(model).at(-1)
export const ahead = (model: Model, now: number): Period[] => running(model).filter(({ ends }) => ends > now)
export const periodAt = (model: Model, at: number): Period | undefined =>
  running(model).findLast(({ starts }) => starts <= at)

/** Returns the entitlements of a period: those with which it was bought, and those that its edition has got since. */
export const allowedBy = (model: Model, { edition, bought }: Period): Entitlements => ({
  ...must(model.editions.get(edition)).entitlements,
  ...bought,
})

export const planOf = (model: Model, slug: string): Plan => must(model.plans.get(slug))

/** Returns the price that was set last, among the prices that are in force at this time. */
export function priceAt({ prices }: Plan, since: 'from' | 'renewals_from', at: number): bigint {
  return must(prices.findLast((price) => price[since] <= at)).net
}

export const planAtEnd = (model: Model): string | undefined => model.choice ?? last(model)?.plan

/** Returns the net price of a plan now. The plan of the last period and the plan chosen for its end have the price of renewals. */
export const netFor = (model: Model, slug: string, now: number): bigint =>
  priceAt(
    planOf(model, slug),
    slug === model.choice || slug === last(model)?.plan ? 'renewals_from' : 'from',
    now,
  )

export const atMost = (net: bigint, most: bigint | null | undefined): bigint =>
  typeof most === 'bigint' && most < net ? most : net

/** Returns the side that pays for a purchase now; `automatic` is true for an automatic renewal. */
export const buyerOf = ({ agreement }: Model, automatic: boolean): Side =>
  agreement && (agreement.pays === 'all' || automatic) ? 'payer' : 'owner'

export const spentBy = (model: Model, agreement: string): bigint => {
  const spent = model.spent.get(agreement) ?? 0n
  return spent > 0n ? spent : 0n
}

const addSpent = (model: Model, agreement: string | null, amount: bigint): void => {
  if (agreement !== null) model.spent.set(agreement, (model.spent.get(agreement) ?? 0n) + amount)
}

/** Sells: the balance of the buyer pays, and the agreement of a payer counts the sum. */
export function sell(model: Model, buyer: Side, price: Sums, rate_bp: bigint): Sale {
  const agreement = buyer === 'payer' ? must(model.agreement).id : null
  model[buyer].balance -= price.total
  addSpent(model, agreement, price.total)
  return { transaction_id: '', buyer, agreement, rate_bp, total: price.total, left: { ...price } }
}

/** Takes a credit note off the rest of a sale, and gives its total to the side that has paid. */
export function credit(model: Model, sale: Sale, note: Sums): void {
  sale.left = {
    net: sale.left.net - note.net,
    vat: sale.left.vat - note.vat,
    total: sale.left.total - note.total,
  }
  model[sale.buyer].balance += note.total
  addSpent(model, sale.agreement, -note.total)
}

/** Returns the time at which a paid period with another plan begins; null if there is none. */
export function planChange(model: Model, now: number): number | null {
  const present = periodAt(model, now)
  const next = running(model).find(({ starts, plan }) => starts > now && plan !== present?.plan)
  return present && next ? next.starts : null
}

/** Moves all times of the model into the past, as if the clock went on by `ms`. */
export function shift(model: Model, ms: number): void {
  for (const period of model.periods) {
    period.starts -= ms
    period.ends -= ms
    period.term_starts -= ms
  }
  for (const { prices } of model.plans.values())
    for (const price of prices) {
      price.from -= ms
      price.renewals_from -= ms
    }
  for (const { debt } of [model.owner, model.payer]) {
    if (!debt) continue
    debt.began -= ms
    if (debt.last_step !== null) debt.last_step -= ms
  }
  for (const [key, at] of model.jobs) model.jobs.set(key, at - ms)
  const { watch } = model
  if (!watch) return
  watch.ends -= ms
  if (watch.plan_changes !== null) watch.plan_changes -= ms
  if (watch.next !== null) watch.next -= ms
}
