import { planAtEnd } from '#features/hosts/rules.ts'
import { renewingHosts, type HostRow } from '#features/hosts/server/hosts.ts'
import type { Upcoming } from '#features/finance/rules.ts'
import { vatFor, vatOver } from '#features/invoices/server/invoices.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { isTerm, months, nextCharge, priceOf, stepAt, stepsOf, type Step } from '#features/licences/rules.ts'
import { allPlans } from './plan-queries.ts'
import { renewalNetAt } from './plan-price.ts'
import { extrasOf, netOf } from './extra-prices.ts'
import { heldBy, lowered } from './promo-price.ts'
import * as queries from './renewal-queries.ts'
import type { RenewalSchedule } from './renewal-queries.ts'

/** Checks a host's licence and takes the steps that are due around its end (rule 31). */
export const RENEWAL_STEP = jobKind('look_at_licence', 'money')

/** Schedules the steps around an end. Steps that are past already are not made up for. */
export async function scheduleRenewalSteps(
  tx: Tx,
  {
    now,
    ...watched
  }: Pick<RenewalSchedule, 'host_id' | 'user_id' | 'ends_at' | 'plan_changes_at' | 'is_trial'> & {
    now: Date
  },
): Promise<void> {
  const behind = stepsDue({ ...watched, done_days: null }, now)
  await scheduleNextStep(tx, {
    ...watched,
    done_days: behind.at(-1)?.days ?? null,
    refusal: null,
    announced_net: null,
  })
}

/** Stores the progress of a licence and queues the job for its next step, which replaces any other step job of the host. */
export async function scheduleNextStep(tx: Tx, watch: Omit<RenewalSchedule, 'next_at'>): Promise<void> {
  // The steps after the end are tries, which follow only a failed try.
  const next = stepsOf(watch.is_trial).find(
    (step) => isAhead(watch, step) && (step.days <= 0 || watch.refusal !== null),
  )
  const step_at = next === undefined ? null : stepAt(watch.ends_at, next)
  const { plan_changes_at } = watch
  const next_at =
    plan_changes_at && (step_at === null || plan_changes_at < step_at) ? plan_changes_at : step_at
  await queries.putSchedule(tx, { ...watch, next_at })
  if (next_at) enqueueStep(tx, watch.host_id, next_at)
}

function enqueueStep(tx: Tx, host_id: bigint, run_at?: Date): void {
  const key = `licence:${host_id}`
  enqueue(tx, RENEWAL_STEP, { host_id: String(host_id) }, run_at ? { key, run_at } : { key })
}

/** Attempts an unscheduled renewal; no-op outside the days in which the licence may renew. */
export const RENEW_NOW = jobKind('renew_now', 'money')

export const askToRenewNow = (tx: Tx, host_id: bigint): void =>
  enqueue(tx, RENEW_NOW, { host_id: String(host_id) }, { key: `renew:${host_id}` })

/** Attempts an unscheduled renewal of each of these hosts whose last try was refused. */
export async function askToRenewRefused(tx: Tx, host_ids: readonly bigint[]): Promise<void> {
  for (const { host_id, refusal } of await queries.schedulesOf(tx, host_ids))
    if (refusal !== null) askToRenewNow(tx, host_id)
}

/** Steps due at `now` that have not run, in order. */
export const stepsDue = (
  watch: Pick<RenewalSchedule, 'ends_at' | 'done_days' | 'is_trial'>,
  now: Date,
): Step[] =>
  stepsOf(watch.is_trial).filter((step) => isAhead(watch, step) && stepAt(watch.ends_at, step) <= now)

const isAhead = ({ done_days }: Pick<RenewalSchedule, 'done_days'>, { days }: Step): boolean =>
  done_days === null || days > done_days

/** Forgets that the last try to renew was refused: no further try follows. */
export async function forgetRefusal(tx: Tx, host_id: bigint): Promise<void> {
  const watch = await queries.scheduleOf(tx, host_id)
  if (watch?.refusal) await scheduleNextStep(tx, { ...watch, refusal: null })
}

const LATE_S = 600
const AT_ONCE = 500

/** A safety net below the jobs: a licence whose job was lost, as after a restore without the table of jobs, gets another job. */
export async function sweepLicences(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const host_id of await queries.overdueSchedules(tx, LATE_S, AT_ONCE)) enqueueStep(tx, host_id)
  })
}

/** One automatic renewal that is due if nothing changes; `total` is in minor units. */
export type Renewal = { host_id: bigint; due_at: Date; total: bigint; months: number }

/** The next renewal of each of these hosts that has auto-renewal on, at the price for its payer. */
export async function renewalsFor(
  app: App,
  db: App['db'],
  { owner_id, buyer_id, host_ids }: { owner_id: string; buyer_id: string; host_ids: readonly bigint[] },
): Promise<Renewal[]> {
  const hosts = (await renewingHosts(db, owner_id)).filter(({ id }) => host_ids.includes(id))
  const ids = new Map(hosts.map(({ public_id, id }) => [public_id, id]))
  return (await chargesOf(app, db, hosts, buyer_id)).flatMap(({ host_id, due_at, total, months: count }) => {
    const id = ids.get(host_id)
    return id === undefined ? [] : [{ host_id: id, due_at, total, months: count }]
  })
}

/** The next renewal of each of these hosts, at the price for an account that pays. */
export async function chargesOf(
  app: App,
  db: App['db'],
  hosts: readonly HostRow[],
  buyer_id: string,
): Promise<Upcoming[]> {
  if (hosts.length === 0) return []
  const watches = await queries.schedulesOf(
    db,
    hosts.map(({ id }) => id),
  )
  const byHost = new Map(watches.map((watch) => [watch.host_id, watch]))
  const announced = hosts.map(({ id, periods, renewal, extras_at_end, paid_until, now }) => ({
    periods,
    renewal,
    extras_at_end,
    announced_net: byHost.get(id)?.announced_net ?? null,
    at: (paid_until && nextCharge(paid_until, now)) ?? now,
  }))
  const prices = await renewalPrices(app, db, buyer_id, announced)
  return hosts.flatMap((host, place): Upcoming[] => {
    const { paid_until, now, id } = host
    const wasRefused = (byHost.get(id)?.refusal ?? null) !== null
    if (paid_until === null || (paid_until <= now && !wasRefused)) return []
    const due_at = nextCharge(paid_until, now)
    if (!due_at) return []
    const term = planAtEnd(host)?.term ?? ''
    if (!isTerm(term)) return []
    const again = { total: prices[place]?.total ?? 0n, months: months[term] }
    return [{ host_id: host.public_id, host_name: host.name, due_at, ...again }]
  })
}

/**
 * The price of another term for each of these hosts at its time `at`: the lower of the price at that time and the announced price (`list`),
 * lowered by the promo code that its last order has left, with the add-ons that it has (`total`). A code cannot vanish between a mail and its charge, so the list price is announced.
 */
export async function renewalPrices(
  app: App,
  db: App['db'],
  user_id: string,
  hosts: readonly (Pick<HostRow, 'periods' | 'renewal' | 'extras_at_end'> &
    Pick<RenewalSchedule, 'announced_net'> & { at: Date })[],
): Promise<{ list: bigint; net: bigint; total: bigint }[]> {
  const plans = new Map((await allPlans(db)).map((plan) => [plan.slug, plan]))
  const vat = await vatFor(app, db, user_id)
  return hosts.map(({ announced_net, at, ...host }) => {
    const plan = plans.get(planAtEnd(host)?.plan ?? '')
    if (!plan) return { list: 0n, ...priceOf(0n, vat.rate_bp) }
    const { list, net } = lowered(renewalNetAt(plan, at, announced_net), plan, heldBy(host))
    const whole = net + netOf(extrasOf(plan, host, undefined))
    return { list, ...priceOf(whole, vatOver(vat, whole).rate_bp) }
  })
}
