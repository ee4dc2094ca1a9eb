import type { ProviderName } from '#features/finance/rules.ts'
import type { Period } from '#features/licences/rules.ts'

/** The scope of an upgrade: every period that has not ended and has the plan's term, or only the running one. */
export const upgradeScopes = ['all', 'present'] as const
export type UpgradeScope = (typeof upgradeScopes)[number]

/** The seconds for which the price of a preview holds. */
export const PREVIEW_VALID_S = 900

/** The part of the value `net` (minor units) that a period still has from a time on, rounded half up; the rest is the used part. */
export const leftValue = (net: bigint, { starts_at, ends_at }: Span, from: Date): bigint =>
  share(net, { starts_at, ends_at }, from)

/** The price of a plan for the rest of a term, from its price `net` for the whole term (minor units), rounded half up. */
export const priceOfRest = (
  net: bigint,
  { term_starts_at, ends_at }: { term_starts_at: Date; ends_at: Date },
  from: Date,
): bigint => share(net, { starts_at: term_starts_at, ends_at }, from)

type Span = Pick<Period, 'starts_at' | 'ends_at'>

function share(net: bigint, { starts_at, ends_at }: Span, from: Date): bigint {
  const whole = BigInt(ends_at.getTime() - starts_at.getTime())
  const rest = BigInt(Math.max(0, ends_at.getTime() - Math.max(from.getTime(), starts_at.getTime())))
  return whole === 0n ? 0n : (2n * net * rest + whole) / (2n * whole)
}

/** The part of a total (minor units) for the time of a paid period that was not used at `now`, rounded up. */
export function unusedShare(
  total: bigint,
  { starts_at, ends_at }: Pick<Period, 'starts_at' | 'ends_at'>,
  now: Date,
): bigint {
  const whole = BigInt(ends_at.getTime() - starts_at.getTime())
  const unused = BigInt(Math.max(0, ends_at.getTime() - Math.max(now.getTime(), starts_at.getTime())))
  return whole === 0n ? 0n : (total * unused + whole - 1n) / whole
}

/** The share of a total (minor units) for a part of its price before VAT, rounded half up. */
export const shareOfPrice = (total: bigint, part: bigint, net: bigint): bigint =>
  net === 0n ? 0n : (2n * total * part + net) / (2n * net)

/** The price of some of the months that were paid by a total (minor units), rounded half up. */
export const priceOfMonths = (total: bigint, { of, count }: { of: number; count: number }): bigint =>
  (2n * total * BigInt(count) + BigInt(of)) / (2n * BigInt(of))

type OfTime<Sum> = { months: number | null; total_of_time: Sum; left_of_time: Sum }

/**
 * The refund of some of the months that were paid (minor units); undefined where they were not paid, or are not left. The rest
 * that other refunds have left may be rounded, by one minor unit at most.
 */
export function refundOfMonths(
  { months, total_of_time, left_of_time }: OfTime<bigint>,
  count: number,
): bigint | undefined {
  if (months === null || count > months) return undefined
  const price = priceOfMonths(total_of_time, { of: months, count })
  const over = price - left_of_time
  const amount = over === 1n || over === -1n ? left_of_time : price
  return amount > 0n && amount <= left_of_time ? amount : undefined
}

/** The actions for many servers at once. */
export const bulkActs = ['order', 'renew', 'upgrade', 'auto_renew', 'renewal_plan'] as const
/** The actions that are paid at once. */
export const paidBulkActs = ['order', 'renew', 'upgrade'] as const
export type PaidBulkAct = (typeof paidBulkActs)[number]
/** The reasons why one of many servers is refused. */
export const bulkRefusals = [
  'ipv4_required',
  'ipv4_licensed',
  'ipv6_licensed',
  'host_suspended',
  'unknown_plan',
  'plan_required',
  'not_an_upgrade',
  'too_little_left',
  'licence_not_running',
] as const
export type BulkRefusal = (typeof bulkRefusals)[number]
/** The most servers of one action. The limit is lower for new servers, because the transaction of their order also makes them. */
export const MOST_SERVERS = 200
export const MOST_NEW_SERVERS = 100

/** The things for which a checkout brings the money that the balance lacks. */
export const checkoutPurposes = ['order', 'renewal', 'upgrade', 'top_up', 'bulk'] as const
export type CheckoutPurpose = (typeof checkoutPurposes)[number]
export const checkoutStates = ['open', 'done', 'failed', 'expired', 'cancelled'] as const
export type CheckoutState = (typeof checkoutStates)[number]
/** The time for which an order waits for its money; money that comes later stays on the balance. */
export const checkoutHours = (provider: ProviderName): number => (provider === 'bank' ? 14 * 24 : 24)
