import type pg from 'pg'
import { ahead, DAY, running, shift, type Model } from './model.ts'
import { debtTimes } from './debts.ts'
import { stepsOf } from './renewals.ts'
import type { Lane } from './world.ts'

/** The rows whose time passes: one host with its two accounts, and the catalogue of its lane. */
export type Timed = { host_id: string; owner_id: string; payer_id: string }

/** An event that is closer than this to the end of a wait might come before or after it, by chance. */
const APART_MS = 60_000

/**
 * Lets time pass: moves all times, in the rows and in the model, into the past. Returns by how many ms, which is a little more than
 * `wanted_ms` if something is due at that very time.
 */
export async function jump(
  { world, name }: Lane,
  model: Model,
  who: Timed,
  wanted_ms: number,
): Promise<number> {
  const now = Date.now()
  let ms = wanted_ms
  const times = timesOf(model)
  while (times.some((at) => Math.abs(at - (now + ms)) < APART_MS)) ms += 2 * APART_MS
  // All rows move together, so none overlap that did not before, and no trigger is needed to check them.
  await asReplica(world.owner, earlier(who, name, ms))
  shift(model, ms)
  return ms
}

/** Sends statements as one transaction without triggers, which the product itself may never do. */
export const asReplica = (owner: pg.Pool, statements: readonly string[]): Promise<unknown> =>
  owner.query(['set local session_replication_role = replica', ...statements].join(';'))

function earlier(who: Timed, lane: string, ms: number): string[] {
  const by = `interval '${ms} milliseconds'`
  const move = (table: string, columns: readonly string[], where: string) =>
    `update ${table} set ${columns.map((column) => `${column} = ${column} - ${by}`).join(', ')} where ${where}`
  const host = `host_id = ${who.host_id}`
  const both = `('${who.owner_id}', '${who.payer_id}')`
  const jobs = `('licence:${who.host_id}', 'renew:${who.host_id}', 'debt:${who.owner_id}', 'debt:${who.payer_id}')`
  return [
    move('paid_periods', ['starts_at', 'term_starts_at', 'ends_at'], host),
    move('trials', ['starts_at', 'ends_at'], host),
    move('licensed_addresses', ['starts_at', 'ends_at'], host),
    move('licence_watches', ['ends_at', 'next_at', 'plan_changes_at'], host),
    move('hosts', ['paid_until'], `id = ${who.host_id}`),
    move('debts', ['began_at', 'last_step_at', 'next_at'], `settled_at is null and user_id in ${both}`),
    move('jobs', ['run_at'], `key in ${jobs}`),
    move('plan_prices', ['from_at', 'renewals_from_at'], `plan like '${lane}-%'`),
  ]
}

/** Returns all times at which something happens by itself. */
function timesOf(model: Model): number[] {
  const ends = running(model).flatMap(({ starts, ends: end }) => [starts, end])
  const prices = [...model.plans.values()].flatMap((plan) =>
    plan.prices.flatMap(({ from, renewals_from }) => [from, renewals_from]),
  )
  const debts = [model.owner, model.payer].flatMap(({ debt }) => (debt ? debtTimes(debt) : []))
  const { watch } = model
  const steps = watch
    ? [...stepsOf(watch).map((days) => watch.ends + days * DAY), watch.next ?? watch.ends]
    : []
  return [...ends, ...prices, ...debts, ...steps]
}

/** Returns the length of a wait, in ms: until two minutes after a step of the licence (9: its next end), or `days` if `step` is null. */
export function lengthOf(model: Model, { days, step }: { days: number; step: number | null }): number {
  const now = Date.now()
  const [next] = ahead(model, now)
  const { watch } = model
  if (step === null || !watch) return Math.round(days * DAY)
  const at = step === 9 ? (next?.ends ?? now) : watch.ends + step * DAY
  return Math.max(2 * APART_MS, at + 2 * APART_MS - now)
}
