import { must } from '#foundation/must.ts'
import {
  ahead,
  atMost,
  buyerOf,
  DAY,
  last,
  monthsLater,
  netFor,
  planAtEnd,
  planChange,
  planOf,
  priceAt,
  sell,
  spentBy,
  withVat,
  type Clock,
  type Model,
  type Period,
  type Side,
  type Watch,
} from './model.ts'

// The model of purchases and automatic renewals, and of the steps around the end of a licence.

/** The days of the steps, counted from the end of a licence: two reminders, a renewal attempt, the end, and three more attempts. */
const STEPS = [-7, -3, -1, 0, 1, 2, 3]
/** A trial has one reminder. */
const TRIAL_STEPS = [-2, -1, 0, 1, 2, 3]
export const stepsOf = ({ is_trial }: Pick<Watch, 'is_trial'>) => (is_trial ? TRIAL_STEPS : STEPS)
const FIRST_TRY = -1
const LAST_TRY = 3
const isReminder = (days: number) => days < FIRST_TRY

/** Returns the code by which a purchase is refused, or its buyer and its net price. */
export function judge(
  model: Model,
  plan: string,
  now: number,
  { automatic = false, shown }: { automatic?: boolean; shown?: bigint } = {},
): { refused: string } | { buyer: Side; net: bigint } {
  const full = netFor(model, plan, now)
  const net = automatic ? atMost(full, model.watch?.announced) : full
  if (model.suspended) return { refused: 'host_suspended' }
  const buyer = buyerOf(model, automatic)
  const { total } = withVat(net, model[buyer].rate_bp)
  if (shown !== undefined && shown !== total) return { refused: 'price_changed' }
  const { agreement } = model
  if (buyer === 'payer' && isAbove(model, total)) return { refused: 'payment_limit_reached' }
  if (model[buyer].balance < total) return { refused: 'insufficient_balance' }
  return { buyer, net, ...(agreement && {}) }
}

/** True if the agreement may not pay this total any more in this month. */
const isAbove = (model: Model, total: bigint): boolean => {
  const { id, limit } = must(model.agreement)
  return limit !== null && spentBy(model, id) + total > limit
}

/** Buys a period that begins at the end of the paid periods, or now. */
export function buy(
  model: Model,
  plan: string,
  clock: Clock,
  { buyer, net, automatic = false }: { buyer: Side; net: bigint; automatic?: boolean },
): void {
  const now = clock.ordered()
  const before = last(model)
  const runs = before !== undefined && before.ends > now
  const starts = runs ? before.ends : now
  const anchor = runs ? before.anchor : new Date(now).getUTCDate()
  const { rate_bp } = model[buyer]
  const { edition, months } = planOf(model, plan)
  const sale = sell(model, buyer, withVat(net, rate_bp), rate_bp)
  const kind = automatic ? 'auto_renewal' : before && before.kind !== 'trial' ? 'renewal' : 'order'
  const ends = monthsLater(starts, months, anchor)
  const bought = { ...must(model.editions.get(edition)).entitlements }
  const what = { sale, kind, plan, edition, months, bought } as const
  model.periods.push({ ...what, starts, ends, term_starts: starts, anchor, ended: null })
  model.choice = null
  watchEnd(model, now)
}

const isAheadOf = (done: number | null, days: number): boolean => done === null || days > done

/** Watches the new end of the licence; steps whose time is past are skipped. */
export function watchEnd(model: Model, now: number): void {
  const { ends, kind } = must(last(model))
  const is_trial = kind === 'trial'
  const behind = stepsOf({ is_trial }).filter((days) => ends + days * DAY <= now)
  const plan_changes = planChange(model, now)
  model.watch = {
    ends,
    is_trial,
    done_days: behind.at(-1) ?? null,
    refusal: null,
    announced: null,
    plan_changes,
    next: null,
  }
  planStep(model)
}

/** Sets the time of the next step, and the job for it in place of any earlier job. */
export function planStep(model: Model): void {
  const watch = must(model.watch)
  const { ends, done_days, refusal, plan_changes } = watch
  const step = stepsOf(watch).find((days) => isAheadOf(done_days, days) && (days <= 0 || refusal !== null))
  const at = step === undefined ? null : ends + step * DAY
  watch.next = plan_changes !== null && (at === null || plan_changes < at) ? plan_changes : at
  if (watch.next !== null) model.jobs.set('licence', watch.next)
}

export const nextCharge = (ends: number, now: number): number | undefined =>
  STEPS.filter((days) => !isReminder(days))
    .map((days) => ends + days * DAY)
    .find((at) => at > now)

export function switchRenewal(model: Model, on: boolean, now: number): void {
  if (model.auto_renew === on) return
  model.auto_renew = on
  if (on) model.jobs.set('renew', now)
  else if (model.watch && model.watch.refusal !== null) {
    model.watch.refusal = null
    planStep(model)
  }
}

/** Does the step around the end that is due: a mail that names a price, a renewal attempt, or the end. */
export function runStep(model: Model, clock: Clock): void {
  const { watch } = model
  if (!watch) return
  const { now } = clock
  const due = dueSteps(model, now)
  const hasOther = watch.plan_changes !== null && watch.plan_changes <= now
  const wasTried = watch.done_days !== null && watch.done_days >= FIRST_TRY
  const isTry =
    model.auto_renew &&
    due.some((days) => !isReminder(days)) &&
    (now < watch.ends || watch.refusal !== null || !wasTried)
  const refused = isTry ? tryToRenew(model, clock) : undefined
  if (isTry && refused === undefined) return
  if (due.length === 0 && !hasOther) return
  const refusal = model.auto_renew ? refused : undefined
  if (refusal !== undefined && due.at(-1) === LAST_TRY) model.auto_renew = false
  const announced = announcedBy(model, due, refusal, now)
  Object.assign(watch, {
    announced,
    plan_changes: planChange(model, now),
    done_days: due.at(-1) ?? watch.done_days,
    refusal: refusal ?? watch.refusal,
  })
  planStep(model)
}

function dueSteps(model: Model, now: number): number[] {
  const watch = must(model.watch)
  return stepsOf(watch).filter((days) => isAheadOf(watch.done_days, days) && watch.ends + days * DAY <= now)
}

/** Returns the code of the refusal; undefined if the renewal was bought. */
function tryToRenew(model: Model, clock: Clock): string | undefined {
  const plan = must(planAtEnd(model))
  const judged = judge(model, plan, clock.now, { automatic: true })
  if ('refused' in judged) return judged.refused
  buy(model, plan, clock, { ...judged, automatic: true })
  return undefined
}

/** Returns the price that the reminders have named so far, if any: the renewal at this end may not cost more. */
function announcedBy(
  model: Model,
  due: readonly number[],
  refusal: string | undefined,
  now: number,
): bigint | null {
  const { announced, ends } = must(model.watch)
  const days = due.at(-1)
  const names =
    days !== undefined && days < 0 && !due.includes(0) && refusal === undefined && model.auto_renew
  if (!names) return announced
  const at = nextCharge(ends, now) ?? now
  return atMost(priceAt(planOf(model, must(planAtEnd(model))), 'renewals_from', at), announced)
}

/** Tries to renew because the balance rose, or because somebody switched automatic renewal on. */
export function runRenewNow(model: Model, clock: Clock): void {
  const { watch } = model
  const { now } = clock
  if (!watch || !model.auto_renew || !mayTry(model, now)) return
  const refused = tryToRenew(model, clock)
  if (refused === undefined || watch.refusal !== null) return
  watch.refusal = refused
  planStep(model)
}

function mayTry({ watch }: Model, now: number): boolean {
  const { ends, refusal } = must(watch)
  return now >= ends + FIRST_TRY * DAY && now < (refusal === null ? ends : ends + LAST_TRY * DAY)
}

/** Ends a period that is refunded in full: the time that has run stays, the rest goes, and later paid periods move up term by term. */
export function endRefunded(model: Model, sale: Period['sale'], now: number): void {
  const left = ahead(model, now)
  const place = left.findIndex((period) => period.sale === sale)
  const gone = left[place]
  if (!gone) return
  const before = {
    ends: Math.max(gone.starts, now),
    anchor: gone.starts > now ? gone.anchor : new Date(now).getUTCDate(),
  }
  Object.assign(gone, { ends: before.ends, ended: 'refunded' })
  moveUp(left.slice(place + 1), before)
  const end = last(model)
  if (!end || end.ends <= now) {
    model.auto_renew = false
    model.choice = null
  }
  if (end) watchEnd(model, now)
  else model.watch = null
}

/** Moves periods up: each begins where the one before ends, and lasts as long as its term. */
export function moveUp(periods: readonly Period[], before: Pick<Period, 'ends' | 'anchor'>): void {
  for (const period of periods) {
    if (period.starts !== before.ends) period.term_starts = before.ends
    Object.assign(period, { starts: before.ends, anchor: before.anchor })
    period.ends = monthsLater(period.starts, period.months, period.anchor)
    before = period
  }
}
