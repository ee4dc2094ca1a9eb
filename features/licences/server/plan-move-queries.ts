import { sql, type RawBuilder } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { firstTry, RISE_NOTICE_DAYS } from '#features/licences/rules.ts'

type Db = App['db']

/** A retired plan whose servers renew with another plan from a time on; `net` is the most that the first such renewal costs before VAT. */
export type PlanMove = {
  id: bigint
  from_plan: string
  to_plan: string
  net: bigint
  counts_from: Date
  undone_at: Date | null
}

const columns = ['id', 'from_plan', 'to_plan', 'net', 'counts_from', 'undone_at'] as const

export async function insertMove(
  tx: Tx,
  move: Pick<PlanMove, 'from_plan' | 'to_plan' | 'net' | 'counts_from'>,
): Promise<PlanMove> {
  return tx.insertInto('plan_moves').values(move).returning(columns).executeTakeFirstOrThrow()
}

export async function moveById(db: Db, id: bigint): Promise<PlanMove | undefined> {
  return db.selectFrom('plan_moves').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Returns the latest move of each plan that was not undone, by the plan. */
export async function movesByPlan(db: Db): Promise<Map<string, PlanMove>> {
  const rows = await db
    .selectFrom('plan_moves')
    .select(columns)
    .where('undone_at', 'is', null)
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.from_plan, row]))
}

/** Undoes a move before it counts; returns false if it counts by now, or is undone. */
export async function undoMove(tx: Tx, id: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('plan_moves')
    .set({ undone_at: sql`now()` })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .where('counts_from', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The servers that renew a plan by themselves, without another choice for their end. */
const renewing = (plan: RawBuilder<unknown>) => sql`plan_renewals r on r.plan = ${plan} and r.ends_at > now()
  and not exists (select from licence_settings s where s.host_id = r.host_id)`

export async function countMovable(db: Db, plan: string): Promise<{ hosts: number; customers: number }> {
  const { rows } = await sql<{ hosts: number; customers: number }>`
    select count(*)::int as hosts, count(distinct r.user_id)::int as customers
    from plans p join ${renewing(sql`p.slug`)} where p.slug = ${plan}`.execute(db)
  return rows[0] ?? { hosts: 0, customers: 0 }
}

/**
 * Returns servers that renew a retired plan, and whose owners were not told of its latest move: also those that began to renew by themselves, or
 * went to another owner, after it was planned.
 */
export async function hostsWithoutNotice(
  db: Db,
  after: bigint,
  limit: number,
): Promise<{ move_id: bigint; host_id: bigint }[]> {
  const { rows } = await sql<{ move_id: bigint; host_id: bigint }>`
    select m.id as move_id, r.host_id
    from (select distinct on (from_plan) id, from_plan from plan_moves where undone_at is null order by from_plan, id desc) m
    join plans p on p.slug = m.from_plan and not p.is_active
    join ${renewing(sql`m.from_plan`)}
    where r.host_id > ${after}
      and not exists (
        select from plan_move_hosts t where t.move_id = m.id and t.host_id = r.host_id and t.user_id = r.user_id)
    order by r.host_id limit ${limit}`.execute(db)
  return rows
}

/** Notes that the owner of a server is told; returns false if that was noted before. A notice to an earlier owner gives way. */
export async function insertNotice(
  tx: Tx,
  move_id: bigint,
  { id, user_id }: { id: bigint; user_id: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into plan_move_hosts as t (move_id, host_id, user_id) values (${move_id}, ${id}, ${user_id}::uuid)
    on conflict (move_id, host_id) do update set user_id = excluded.user_id, told_at = now(), moved_at = null
      where t.user_id <> excluded.user_id`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/**
 * Returns servers whose next renewal is one with the other plan: it comes when the move counts, and at least 30 days after its owner, who has
 * chosen nothing else and is still the owner, was told. With `host_id` it returns this server alone.
 */
export async function dueMoves(
  db: Db,
  limit: number,
  host_id?: bigint,
): Promise<{ move_id: bigint; host_id: bigint }[]> {
  const { rows } = await sql<{ move_id: bigint; host_id: bigint }>`
    select t.move_id, t.host_id from plan_move_hosts t
    join plan_moves m on m.id = t.move_id and m.undone_at is null
    join plan_renewals r on r.host_id = t.host_id and r.plan = m.from_plan and r.user_id = t.user_id
    where t.moved_at is null and ${host_id === undefined ? sql`true` : sql`t.host_id = ${host_id}`}
      and not exists (select from licence_settings s where s.host_id = r.host_id)
      and r.ends_at + make_interval(days => ${firstTry.days})
        >= greatest(m.counts_from, t.told_at + make_interval(days => ${RISE_NOTICE_DAYS}))
    order by t.host_id limit ${limit}`.execute(db)
  return rows
}

export async function noteMoved(tx: Tx, move_id: bigint, host_id: bigint): Promise<void> {
  await sql`update plan_move_hosts set moved_at = now() where (move_id, host_id) = (${move_id}, ${host_id})`.execute(
    tx,
  )
}

/** Returns servers that were told of a move, from the one behind `after` on. */
export async function noticedHosts(db: Db, move_id: bigint, after: bigint, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ host_id: bigint }>`
    select host_id from plan_move_hosts where move_id = ${move_id} and host_id > ${after}
    order by host_id limit ${limit}`.execute(db)
  return rows.map(({ host_id }) => host_id)
}

/** Forgets that the owner of a server was told of a move; returns false if somebody else owns the server by now, or it was forgotten before. */
export async function deleteNotice(
  tx: Tx,
  move_id: bigint,
  host: { id: bigint; user_id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('plan_move_hosts')
    .where('move_id', '=', move_id)
    .where('host_id', '=', host.id)
    .where('user_id', '=', host.user_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Lets the notices about a server to one account count for another account of the same person. */
export async function giveNotices(
  tx: Tx,
  { host_id, from, to }: { host_id: bigint; from: string; to: string },
): Promise<void> {
  await sql`update plan_move_hosts set user_id = ${to}::uuid
    where host_id = ${host_id} and user_id = ${from}::uuid`.execute(tx)
}
