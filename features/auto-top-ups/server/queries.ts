import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { AutoTopUpKind, HoldReason, PauseReason } from '#features/auto-top-ups/rules.ts'

type Db = App['db']

/** The automatic top-up of an account; amounts in minor units. */
export type AutoTopUpRow = {
  user_id: string
  method_id: string
  month_limit: bigint
  kind: AutoTopUpKind
  threshold: bigint | null
  amount: bigint | null
  state: 'active' | 'paused'
  reason: PauseReason | HoldReason | ''
  declines: number
  version: number
  /** The time of the next look; after a decline, that of the next try. */
  look_at: Date
  /** True if the time of the next look has come, by the database's clock. */
  is_due: boolean
}

const columns = [
  'user_id',
  'method_id',
  'month_limit',
  'kind',
  'threshold',
  'amount',
  'state',
  'reason',
  'declines',
  'version',
  'look_at',
] as const

export async function autoTopUpOf(db: Db, user_id: string): Promise<AutoTopUpRow | undefined> {
  return db
    .selectFrom('auto_top_ups')
    .select(columns)
    .select(sql<boolean>`look_at <= clock_timestamp()`.as('is_due'))
    .where('user_id', '=', user_id)
    .$narrowType<Pick<AutoTopUpRow, 'kind' | 'state' | 'reason'>>()
    .executeTakeFirst()
}

type Chosen = Pick<AutoTopUpRow, 'user_id' | 'method_id' | 'month_limit' | 'kind' | 'threshold' | 'amount'>

/** Writes what a customer chose; it is active from now on, and looked at next. */
export async function putAutoTopUp(tx: Tx, row: Chosen): Promise<void> {
  await sql`
    insert into auto_top_ups (user_id, method_id, month_limit, kind, threshold, amount, version)
    values (${row.user_id}, ${row.method_id}, ${row.month_limit}, ${row.kind}, ${row.threshold}, ${row.amount},
      -- Turned off and on again, it has another version than before.
      (extract(epoch from now()) - 1700000000)::int)
    on conflict (user_id) do update set method_id = excluded.method_id, month_limit = excluded.month_limit, kind = excluded.kind,
      threshold = excluded.threshold, amount = excluded.amount, state = 'active', reason = '', declines = 0, look_at = now(), version = auto_top_ups.version + 1`.execute(
    tx,
  )
}

export async function deleteAutoTopUp(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('auto_top_ups').where('user_id', '=', user_id).execute()
}

export async function setPaused(tx: Tx, user_id: string, reason: PauseReason): Promise<void> {
  await tx
    .updateTable('auto_top_ups')
    .set({ state: 'paused', reason })
    .where('user_id', '=', user_id)
    .execute()
}

export async function setHeld(tx: Tx, user_id: string, reason: HoldReason | ''): Promise<void> {
  await tx.updateTable('auto_top_ups').set({ reason }).where('user_id', '=', user_id).execute()
}

/** Counts the declines in a row, and has the balance looked at `in_s` seconds after now. */
export async function setDeclines(tx: Tx, user_id: string, declines: number, in_s: number): Promise<void> {
  await sql`update auto_top_ups set declines = ${declines}, look_at = now() + make_interval(secs => ${in_s})
    where user_id = ${user_id}`.execute(tx)
}

/** Has a balance looked at by `at` at the latest, or else in at most `longest_s` seconds, and in at least `shortest_s`. */
export async function lookBy(
  tx: Tx,
  user_id: string,
  { at, shortest_s, longest_s }: { at: Date | undefined; shortest_s: number; longest_s: number },
): Promise<void> {
  await sql`update auto_top_ups set look_at = greatest(now() + make_interval(secs => ${shortest_s}),
      least(${at ?? null}::timestamptz, now() + make_interval(secs => ${longest_s})))
    where user_id = ${user_id}`.execute(tx)
}

/** Has a balance looked at now; nothing for an account without automatic top-up. A try again after a decline keeps its time. */
export async function lookNow(tx: Tx, user_id: string): Promise<void> {
  await sql`update auto_top_ups set look_at = now() where user_id = ${user_id} and state = 'active' and declines = 0`.execute(
    tx,
  )
}

/** Has a balance looked at now if a charge of it is announced; nothing for any other account. */
export async function lookNowIfAnnounced(tx: Tx, user_id: string): Promise<void> {
  await sql`update auto_top_ups a set look_at = now() where a.user_id = ${user_id} and a.state = 'active' and exists (
      select from auto_top_up_runs r where r.user_id = a.user_id and r.ended_at is null and r.state = 'announced')`.execute(
    tx,
  )
}

/** Has a balance that could not be looked at wait for some minutes. */
export const lookLater = (tx: Tx, user_id: string): Promise<void> =>
  lookBy(tx, user_id, { at: undefined, shortest_s: 600, longest_s: 600 })

/** Has the balances that a method fills looked at now. */
export async function lookNowByMethod(tx: Tx, method_id: string): Promise<void> {
  await sql`update auto_top_ups set look_at = now() where method_id = ${method_id} and state = 'active'`.execute(
    tx,
  )
}

/** The accounts whose balance is to be looked at, those that wait longest first. */
export async function accountsDue(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from auto_top_ups where state = 'active' and look_at <= now() order by look_at limit ${limit}`.execute(
    db,
  )
  return rows.map(({ user_id }) => user_id)
}
