import type { Translated } from '#foundation/locale.ts'
import { amountOf, toMoney, vatOf, type Money } from '#foundation/money.ts'

/** The kinds of products: a licence for a server counts at an address, one for a program on machines. */
export const productKinds = ['server', 'program'] as const
export type ProductKind = (typeof productKinds)[number]
/** The product that stands from the beginning, which is a server. */
export const FIRST_PRODUCT = 'server'

/** Terms of a plan, as ISO 8601 durations. */
export const terms = ['P1M', 'P3M', 'P1Y'] as const
export type Term = (typeof terms)[number]
export const isTerm = (text: string): text is Term => terms.some((term) => term === text)

export const months: Readonly<Record<Term, number>> = { P1M: 1, P3M: 3, P1Y: 12 }

/** Paid runtime `[starts_at, ends_at)`. The anchor is the day of the month on which the unbroken runtime once began. */
export type Period = { starts_at: Date; ends_at: Date; anchor_day: number }

/**
 * The runtime that an order adds: after the paid runtime if that still runs, else from now, so that no paid
 * time is lost and none is charged for the past. Consecutive renewals keep the day of the first: bought on 31
 * January by the month, a licence ends on 28 February, 31 March, 30 April.
 */
export function nextPeriod(term: Term, now: Date, last?: Pick<Period, 'ends_at' | 'anchor_day'>): Period {
  const runs = last !== undefined && last.ends_at > now
  return periodFrom(term, runs ? last.ends_at : now, runs ? last.anchor_day : now.getUTCDate())
}

/** The runtime of a term from a given start, in calendar months in UTC. If its last month lacks the anchor day, the last day counts. */
export function periodFrom(term: Term, starts_at: Date, anchor_day: number): Period {
  return { starts_at, ends_at: monthsLater(starts_at, months[term], anchor_day), anchor_day }
}

function monthsLater(from: Date, count: number, anchor_day: number): Date {
  const year = from.getUTCFullYear()
  const month = from.getUTCMonth() + count
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(anchor_day, lastDay))
  return new Date(midnight + (from.getTime() % DAY_MS))
}

const DAY_MS = 86_400_000

/** The runtime of a trial, from now on. A period that follows it counts its months from the end of the trial. */
export function trialPeriod(days: number, now: Date): Period {
  const ends_at = new Date(now.getTime() + days * DAY_MS)
  return { starts_at: now, ends_at, anchor_day: ends_at.getUTCDate() }
}

/** The purchases by which a server gets a period, and the reasons why a period ends early. */
export const periodKinds = ['order', 'renewal', 'auto_renewal', 'upgrade', 'trial'] as const
export const periodEnds = ['refunded', 'deleted', 'upgraded'] as const

/** The price of a plan for a customer, in minor units; `rate_bp` in basis points (1900n is 19 %). */
export function priceOf(net: bigint, rate_bp: bigint): { net: bigint; vat: bigint; total: bigint } {
  const vat = vatOf(net, rate_bp)
  return { net, vat, total: net + vat }
}

/** The entitlements of an edition, by key: `machines` is the number of machines, `lease_min` the minutes of a floating seat. */
export type Entitlements = Readonly<Record<string, boolean | number | string>>

/** The longest lease, a day: a machine without a network may use its seat until the end of its lease. */
export const MOST_LEASE_MIN = 1_440

/**
 * The seconds of a lease by the entitlements of a licence, whose `lease_min` makes its machines float: each holds a seat for so many minutes.
 * Undefined if they are bound.
 */
export function leaseSeconds(entitlements: Entitlements | undefined): number | undefined {
  const minutes = entitlements?.['lease_min']
  if (typeof minutes !== 'number' || minutes < 1) return undefined
  return Math.min(Math.floor(minutes), MOST_LEASE_MIN) * 60
}

/** A price of a plan before VAT, in minor units: orders pay it from `from_at` on, renewals from `renewals_from_at` on. */
export type DatedPrice = { net: bigint; from_at: Date; renewals_from_at: Date }
type Since = 'from_at' | 'renewals_from_at'

/** The days by which a price rise reaches renewals later than orders, so that owners of servers with auto-renewal learn of it in time. */
export const RISE_NOTICE_DAYS = 30

/** The price at a time: the price of the newest row whose time has come. `prices` are in the order in which they were written. */
export const netAt = (prices: readonly DatedPrice[], since: Since, at: Date): bigint | undefined =>
  prices.findLast((price) => price[since] <= at)?.net

/** The time from which renewals pay a price that orders pay from `from_at` on: the same time, or 30 days later for a rise. */
export const renewalsFrom = (prices: readonly DatedPrice[], net: bigint, from_at: Date): Date =>
  isRise(prices, net, from_at) ? noticed(from_at) : from_at

/** False if renewals would pay a price before orders do, or a rise earlier than 30 days after orders. */
export const mayReachRenewals = (
  prices: readonly DatedPrice[],
  { net, from_at, renewals_from_at }: DatedPrice,
): boolean =>
  renewals_from_at >= from_at &&
  (!isRise(prices, net, renewals_from_at) || renewals_from_at >= noticed(from_at))

/** True if a price is more than renewals would pay at that time. */
export const isRise = (prices: readonly DatedPrice[], net: bigint, at: Date): boolean =>
  net > (netAt(prices, 'renewals_from_at', at) ?? net)

const noticed = (from_at: Date): Date => new Date(from_at.getTime() + RISE_NOTICE_DAYS * DAY_MS)

/** The prices that will count one day, the earliest first, without prices that a newer row replaces before their time. */
export function pricesAhead(prices: readonly DatedPrice[], now: Date): DatedPrice[] {
  const counts = (since: Since, place: number) => {
    const at = prices[place]?.[since]
    return at !== undefined && at > now && !prices.slice(place + 1).some((newer) => newer[since] <= at)
  }
  return prices
    .filter((_, place) => counts('from_at', place) || counts('renewals_from_at', place))
    .toSorted((one, other) => one.from_at.getTime() - other.from_at.getTime())
}

/** A total divided by the months of its term, rounded half up: for comparing, never for charging. */
export const perMonth = (total: bigint, term: Term): bigint => {
  const count = BigInt(months[term])
  return (2n * total + count) / (2n * count)
}

/**
 * The saving of a longer term against paying by the month, also in whole percent, rounded down so that it never promises too
 * much. Undefined below one percent.
 */
export function savingOf(
  total: bigint,
  term: Term,
  by_the_month: bigint,
): { amount: bigint; percent: bigint } | undefined {
  const full = by_the_month * BigInt(months[term])
  const amount = full - total
  const percent = full > 0n ? (100n * amount) / full : 0n
  return amount > 0n && percent > 0n ? { amount, percent } : undefined
}

/**
 * The steps around the end of a licence, in order. A reminder is a mail. A try charges the balance if auto-renewal is on, until a try
 * succeeds; a failed last try turns auto-renewal off. The end is a try, too, and is announced if the licence is not renewed.
 */
export const steps = [
  { days: -7, does: 'reminder' },
  { days: -3, does: 'reminder' },
  { days: -1, does: 'try' },
  { days: 0, does: 'end' },
  { days: 1, does: 'try' },
  { days: 2, does: 'try' },
  { days: 3, does: 'last_try' },
] as const
/** The steps of a trial: one reminder, and then the same steps as for paid time. */
const trialSteps = [{ days: -2, does: 'reminder' }, ...steps.slice(2)] as const
export type Step = (typeof steps)[number] | (typeof trialSteps)[number]
export const stepsOf = (is_trial: boolean): readonly Step[] => (is_trial ? trialSteps : steps)
export const firstTry = steps[2]
export const lastTry = steps[6]

export const stepAt = (ends_at: Date, { days }: Step): Date => new Date(ends_at.getTime() + days * DAY_MS)

/** The time of the next charge for a licence that renews itself; undefined if there are no more tries. */
export const nextCharge = (ends_at: Date, now: Date): Date | undefined =>
  steps
    .filter((step) => step.does !== 'reminder')
    .map((step) => stepAt(ends_at, step))
    .find((at) => at > now)

/** The lifetime of a licence document from its issue, and the further time for which it counts offline. */
export const DOCUMENT_LIFETIME_S = 7 * 86_400
export const DOCUMENT_GRACE_S = 72 * 3_600

/** The longest text to a customer about a suspension, and the longest note about it for staff. */
export const TEXT_LENGTH = 2000
export const NOTE_LENGTH = 800

/**
 * The kinds of extras, which are sold with an edition: a `setup` fee, which the first order of the edition has; an `addon` by quantity, for the term of the licence
 * and renewed with it; and a `once`, which an order may have.
 */
export const extraKinds = ['setup', 'addon', 'once'] as const
export type ExtraKind = (typeof extraKinds)[number]

/** The most pieces of an extra in one order, and the most extras that an order names. */
export const MOST_PIECES = 999
export const MOST_EXTRAS = 20

/** The price of one piece for a term, from its price in the catalogue (minor units, before VAT): add-ons cost theirs each month. */
export const netOfPiece = (kind: ExtraKind, net: bigint, term: Term): bigint =>
  kind === 'addon' ? net * BigInt(months[term]) : net

type WithExtras = {
  price_net: Money
  vat: Money
  price_total: Money
  vat_rate: string
  vat_above?: { net: Money; vat_rate: string } | undefined
  extras?:
    | readonly { slug: string; kind: ExtraKind; name: Translated; price_net: Money; quantity: number }[]
    | undefined
}

/** The line of an extra in a sum, before VAT. */
export type ExtraLine = { slug: string; name: Translated; quantity: number; net: Money }

/**
 * Returns a plan at its price with so many pieces of its extras, by slug: that of an order that names them, with the VAT of the sum. Fees
 * count as they are; `lines` are the extras that cost something. From an order that costs nothing there is nothing to withdraw.
 */
export function withExtras<Plan extends WithExtras>(
  plan: Plan,
  quantities: Readonly<Record<string, number>>,
): { plan: Plan; lines: ExtraLine[] } {
  const { currency } = plan.price_net
  const lines = (plan.extras ?? []).flatMap(({ slug, kind, name, price_net, quantity: usual }) => {
    const quantity = kind === 'setup' ? usual : (quantities[slug] ?? 0)
    const net = toMoney(amountOf(price_net) * BigInt(quantity), currency)
    return quantity === 0 ? [] : [{ slug, name, quantity, net }]
  })
  const sum = lines.reduce((all, { net }) => all + amountOf(net), amountOf(plan.price_net))
  const { vat_above: above } = plan
  const taxed =
    above && sum > amountOf(above.net) ? { ...plan, vat_rate: above.vat_rate, vat_note: undefined } : plan
  const { net, vat, total } = priceOf(sum, rateOf(taxed.vat_rate))
  const [price_net, price_total] = [toMoney(net, currency), toMoney(total, currency)]
  const priced = { ...taxed, price_net, vat: toMoney(vat, currency), price_total }
  return { plan: total === 0n ? { ...priced, withdrawal_url: undefined } : priced, lines }
}

/** The price with VAT of so much before it, at a plan's rate; one by one, for reading: an order takes the VAT of its sum. */
export const withVat = (net: Money, { vat_rate }: { vat_rate: string }): Money =>
  toMoney(priceOf(amountOf(net), rateOf(vat_rate)).total, net.currency)

/** A rate in percent as basis points: '25.5' is 2550n. */
const rateOf = (percent: string): bigint => {
  const [whole = '0', part = ''] = percent.split('.')
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
}
