import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { RunState } from '#features/auto-top-ups/rules.ts'

type Db = App['db']

export type RunRow = {
  top_up_id: bigint
  public_id: string
  user_id: string
  method_id: string
  amount: bigint
  currency: string
  state: RunState
  reason: string
  charge_at: Date
  /** The last time at which its provider was asked for the charge; null if it never was. */
  asked_at: Date | null
  act_until: Date | null
  created_at: Date
  ended_at: Date | null
}

const rows = sql`
  select r.top_up_id, r.public_id, r.user_id, r.method_id, r.amount, r.currency, r.state, r.reason, r.charge_at, r.asked_at,
    r.act_until, r.created_at, r.ended_at
  from auto_top_up_runs r`

type NewRun = Pick<RunRow, 'top_up_id' | 'public_id' | 'user_id' | 'method_id' | 'amount' | 'currency'>

/** Writes a run that is charged now, or after so many days of notice. Returns the time of the charge. */
export async function insertRun(tx: Tx, row: NewRun, notice_days: number): Promise<Date> {
  const { rows: made } = await sql<{ charge_at: Date }>`
    insert into auto_top_up_runs (top_up_id, public_id, user_id, method_id, amount, currency, state, charge_at)
    values (${row.top_up_id}, ${row.public_id}, ${row.user_id}, ${row.method_id}, ${row.amount}, ${row.currency},
      ${notice_days > 0 ? 'announced' : 'charging'}, date_trunc('milliseconds', now()) + make_interval(days => ${notice_days}))
    returning charge_at`.execute(tx)
  return made[0]?.charge_at ?? new Date()
}

/** A run of any customer, for jobs and for events, which name no customer. */
export async function runCalled(db: Db, public_id: string): Promise<RunRow | undefined> {
  const { rows: found } = await sql<RunRow>`${rows} where r.public_id = ${public_id}`.execute(db)
  return found[0]
}

export async function runOf(db: Db, user_id: string, public_id: string): Promise<RunRow | undefined> {
  const { rows: found } =
    await sql<RunRow>`${rows} where r.public_id = ${public_id} and r.user_id = ${user_id}`.execute(db)
  return found[0]
}

export async function openRunOf(db: Db, user_id: string): Promise<RunRow | undefined> {
  const { rows: found } =
    await sql<RunRow>`${rows} where r.user_id = ${user_id} and r.ended_at is null`.execute(db)
  return found[0]
}

/** The runs of a customer, newest first. */
export async function runsOf(
  db: Db,
  user_id: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<RunRow[]> {
  const { rows: found } = await sql<RunRow>`${rows}
    where r.user_id = ${user_id} and r.top_up_id < coalesce(${before ?? null}::bigint, 9223372036854775807)
    order by r.top_up_id desc limit ${limit}`.execute(db)
  return found
}

/**
 * Returns what the present month of the operator's time zone has charged or may still charge (minor units), and the runs of the last 24
 * hours. A run that is open counts in each month in which it is.
 */
export async function usageOf(
  db: Db,
  user_id: string,
  time_zone: string,
): Promise<{ used: bigint; of_day: number }> {
  const { rows: found } = await sql<{ used: bigint; of_day: number }>`
    select coalesce(sum(amount) filter (where ended_at is null or (state in ('paid', 'returned')
        and ended_at >= date_trunc('month', now() at time zone ${time_zone}) at time zone ${time_zone})), 0)::bigint as used,
      count(*) filter (where created_at > now() - interval '24 hours')::int as of_day
    from auto_top_up_runs where user_id = ${user_id}`.execute(db)
  return found[0] ?? { used: 0n, of_day: 0 }
}

type Change = { state: RunState; reason?: string; allow_days?: number }

/** Moves a run on. It ends with a state that is not open, once: a later truth of its provider leaves the time of the first. */
export async function moveRun(
  tx: Tx,
  top_up_id: bigint,
  { state, reason, allow_days }: Change,
): Promise<void> {
  await sql`update auto_top_up_runs set state = ${state}, reason = coalesce(${reason ?? null}, reason),
      act_until = coalesce(date_trunc('milliseconds', now()) + make_interval(days => ${allow_days ?? null}::int), act_until),
      ended_at = case when ${state} in ('announced', 'charging', 'under_way', 'action_needed') then null
        else coalesce(ended_at, date_trunc('milliseconds', now())) end
    where top_up_id = ${top_up_id}`.execute(tx)
}

/** Notes that the provider of a run is asked for its charge from now on. */
export async function setRequested(tx: Tx, top_up_id: bigint): Promise<void> {
  await sql`update auto_top_up_runs set state = 'charging', asked_at = date_trunc('milliseconds', now())
    where top_up_id = ${top_up_id}`.execute(tx)
}

/** True if a charge was asked for, and not for so many seconds, by the database's clock. */
export async function isSettled(tx: Tx, top_up_id: bigint, settled_s: number): Promise<boolean> {
  const { rows: found } = await sql`select from auto_top_up_runs
    where top_up_id = ${top_up_id} and asked_at <= now() - make_interval(secs => ${settled_s})`.execute(tx)
  return found.length > 0
}

/** Forgets the runs of a deleted account; their payments stay, for the books. */
export async function deleteRunsOf(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('auto_top_up_runs').where('user_id', '=', user_id).execute()
}

/** Open runs that somebody must look after: without a job since `late_s`, not allowed in time, or under way for longer than `days`. */
export async function strandedRuns(
  db: Db,
  { late_s, days, limit }: { late_s: number; days: number; limit: number },
): Promise<RunRow[]> {
  const { rows: found } = await sql<RunRow>`${rows}
    where r.ended_at is null and (
      (r.state in ('announced', 'charging') and r.charge_at < now() - make_interval(secs => ${late_s}))
      or (r.state = 'action_needed' and r.act_until <= now())
      or (r.state = 'under_way' and r.charge_at < now() - make_interval(days => ${days})))
    order by r.charge_at limit ${limit}`.execute(db)
  return found
}
