import type { MethodKind } from '#features/finance/rules.ts'

/** `cover` charges what the next renewals lack, `threshold` a fixed amount when the balance falls below a sum. */
export const autoTopUpKinds = ['cover', 'threshold'] as const
export type AutoTopUpKind = (typeof autoTopUpKinds)[number]

/**
 * Reasons for a pause: three declines or one for good; a dispute, or a debit that came back; a method that is gone; a charge that nobody
 * allowed, or of which nothing was heard; staff.
 */
export const pauseReasons = [
  'declined',
  'disputed',
  'returned',
  'method_gone',
  'not_allowed',
  'no_news',
  'staff',
] as const
export type PauseReason = (typeof pauseReasons)[number]

/** The reasons for which nothing is charged that would be due. */
export const holdReasons = ['month_limit', 'balance_cap'] as const
export type HoldReason = (typeof holdReasons)[number]

export const runStates = [
  'announced',
  'charging',
  'under_way',
  'action_needed',
  'paid',
  'returned',
  'declined',
  'expired',
  'cancelled',
] as const
export type RunState = (typeof runStates)[number]

const openRunStates = ['announced', 'charging', 'under_way', 'action_needed'] as const

/** True for a run whose money may still move. */
export const isOpenRun = (state: RunState): boolean => openRunStates.some((open) => open === state)

/** The days after the first decline at which the charge is tried again; after the last decline it is paused. */
export const RETRY_DAYS = [1, 3] as const

/** A customer can allow a charge for so long. */
export const ALLOW_DAYS = 7

/** The most runs of an account within 24 hours. */
export const MOST_A_DAY = 3

/** A direct debit takes days, and is announced before: how far ahead renewals are covered, and the notice. */
export const coverDays = (kind: MethodKind): number => (kind === 'sepa_debit' ? 10 : 3)
export const noticeDays = (kind: MethodKind): number => (kind === 'sepa_debit' ? 2 : 0)

/** Amounts in minor units. `used` is what this month has charged, or may still charge; `round` raises an amount to one that can be charged. */
export type Limits = {
  min: bigint
  max: bigint
  cap: bigint
  month_limit: bigint
  used: bigint
  round: (amount: bigint) => bigint
}
export type Due = { due_at: Date; total: bigint }
export type Wanted =
  | { kind: 'cover'; upcoming: readonly Due[]; until: Date }
  | { kind: 'threshold'; threshold: bigint; amount: bigint }

/** The charge to make now; or nothing to charge, with the reason if a limit holds a charge back that would be due. */
export type Charge = { amount: bigint } | { amount: undefined; held: HoldReason | undefined }

/**
 * Returns what to charge so that a balance covers what is due: never more than the month's limit, the largest top-up or the highest balance
 * leave. The first renewals are covered if not all of them fit, and nothing is charged if none does.
 */
export function chargeFor(balance: bigint, wanted: Wanted, limits: Limits): Charge {
  const { min, max, cap, month_limit, used, round } = limits
  const choices = choicesFor(balance, wanted).map((lacks) => round(lacks < min ? min : lacks))
  if (choices.length === 0) return { amount: undefined, held: undefined }
  const ofMonth = month_limit - used
  const room = cap - balance
  const amount = choices.findLast((choice) => choice <= ofMonth && choice <= room && choice <= max)
  if (amount !== undefined) return { amount }
  return {
    amount: undefined,
    held: choices.some((choice) => choice <= ofMonth) ? 'balance_cap' : 'month_limit',
  }
}

/** The amounts that would be of use, the smallest first: that for the first renewal that lacks money, for the next one with it, and so on. */
function choicesFor(balance: bigint, wanted: Wanted): bigint[] {
  if (wanted.kind === 'threshold') return balance < wanted.threshold ? [wanted.amount] : []
  let sum = 0n
  return wanted.upcoming
    .filter(({ due_at }) => due_at <= wanted.until)
    .toSorted((one, other) => one.due_at.getTime() - other.due_at.getTime())
    .flatMap(({ total }) => {
      sum += total
      return sum > balance ? [sum - balance] : []
    })
}
