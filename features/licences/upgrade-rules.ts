import type { Period } from './rules.ts'

/** An upgrade changes every period that has not ended and has the plan's term, or only the one that runs. */
export const upgradeScopes = ['all', 'present'] as const
export type UpgradeScope = (typeof upgradeScopes)[number]

/** A preview is a promise for so long. */
export const PREVIEW_VALID_S = 900

/** The value that a period still has from a time on, of `net` (minor units), rounded half up; the used part is the rest of it. */
export const leftValue = (net: bigint, { starts_at, ends_at }: Span, from: Date): bigint =>
  share(net, { starts_at, ends_at }, from)

/** The price of a plan for the rest of a term, of its price `net` for all of it (minor units), rounded half up. */
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
