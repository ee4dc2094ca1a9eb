import type { Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { stepAt, stepsOf, type Step } from '#features/licences/rules.ts'
import { deleteSchedule, putSchedule, schedulesOf, type RenewalSchedule } from './renewal-queries.ts'

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
  await putSchedule(tx, { ...watch, next_at })
  if (next_at) await enqueueRenewalStep(tx, watch.host_id, next_at)
}

export async function enqueueRenewalStep(tx: Tx, host_id: bigint, run_at?: Date): Promise<void> {
  const key = `licence:${host_id}`
  await enqueue(tx, RENEWAL_STEP, { host_id: String(host_id) }, run_at ? { key, run_at } : { key })
}

/** Attempts an unscheduled renewal; no-op outside the days in which the licence may renew. */
export const RENEW_NOW = jobKind('renew_now', 'money')

export const askToRenewNow = (tx: Tx, host_id: bigint) =>
  enqueue(tx, RENEW_NOW, { host_id: String(host_id) }, { key: `renew:${host_id}` })

/** Attempts an unscheduled renewal of each of these hosts whose last try was refused. */
export async function askToRenewRefused(tx: Tx, host_ids: readonly bigint[]): Promise<void> {
  for (const { host_id, refusal } of await schedulesOf(tx, host_ids))
    if (refusal !== null) await askToRenewNow(tx, host_id)
}

/** Steps due at `now` that have not run, in order. */
export const stepsDue = (
  watch: Pick<RenewalSchedule, 'ends_at' | 'done_days' | 'is_trial'>,
  now: Date,
): Step[] =>
  stepsOf(watch.is_trial).filter((step) => isAhead(watch, step) && stepAt(watch.ends_at, step) <= now)

const isAhead = ({ done_days }: Pick<RenewalSchedule, 'done_days'>, { days }: Step): boolean =>
  done_days === null || days > done_days

/** Deletes the schedule of a host that has no licence any more. A job that is queued already then finds nothing to do. */
export const forgetLicence = deleteSchedule
