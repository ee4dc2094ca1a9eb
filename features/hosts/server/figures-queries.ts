import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Db } from './queries.ts'

/** The figures of a host in an hour, or in a day whose hours were folded (figures-row.ts). */
export type FigureRow = { host_id: bigint; starts_s: number; is_day: boolean; points: Buffer }

/** A row that is to be written, and the bytes that it was made from: undefined where there was no row. */
export type WantedRow = FigureRow & { former: Buffer | undefined }

const starts_s = sql`extract(epoch from f.starts_at)::float8 as starts_s`

/** Finds those of these hosts that may have figures, and the rows that they have for these beginnings. */
export async function rowsFor(
  tx: Tx,
  wanted: readonly { host_id: bigint; starts_s: number }[],
): Promise<(Omit<FigureRow, 'points' | 'is_day'> & { points: Buffer | null; is_day: boolean | null })[]> {
  const { rows } = await sql<FigureRow>`
    select k.host_id, k.starts_s::float8, f.points, f.is_day
    from unnest(${ids(wanted)}::bigint[], ${wanted.map((row) => row.starts_s)}::bigint[]) as k (host_id, starts_s)
    join host_agents a on a.host_id = k.host_id
    left join host_figures f on f.host_id = k.host_id and f.starts_at = to_timestamp(k.starts_s)`.execute(tx)
  return rows
}

/** Writes rows, but none that another process has made or changed since it was read. Returns the written ones. */
export async function writeRows(
  tx: Tx,
  wanted: readonly WantedRow[],
): Promise<{ host_id: bigint; starts_s: number }[]> {
  const changed = wanted.filter(({ former }) => former !== undefined)
  const made = wanted.filter(({ former }) => former === undefined)
  const { rows } = await sql<{ host_id: bigint; starts_s: number }>`
    with changed as (
      update host_figures f set points = k.points
      from unnest(${ids(changed)}::bigint[], ${begins(changed)}::bigint[], ${bytes(changed)}::bytea[],
        ${changed.map(({ former }) => former)}::bytea[]) as k (host_id, starts_s, points, former)
      where f.host_id = k.host_id and f.starts_at = to_timestamp(k.starts_s) and f.points = k.former
      returning f.host_id, f.starts_at),
    made as (
      insert into host_figures as f (host_id, starts_at, is_day, points)
      select host_id, to_timestamp(starts_s), is_day, points
      from unnest(${ids(made)}::bigint[], ${begins(made)}::bigint[], ${made.map(({ is_day }) => is_day)}::boolean[],
        ${bytes(made)}::bytea[]) as k (host_id, starts_s, is_day, points)
      on conflict do nothing returning f.host_id, f.starts_at)
    select f.host_id, ${starts_s} from (select * from changed union all select * from made) f`.execute(tx)
  return rows
}

const ids = (rows: readonly { host_id: bigint }[]) => rows.map(({ host_id }) => host_id.toString())
const begins = (rows: readonly { starts_s: number }[]) => rows.map((row) => row.starts_s)
const bytes = (rows: readonly { points: Buffer }[]) => rows.map(({ points }) => points)

/** The rows of a host that hold points since then. */
export async function readRows(db: Db, host_id: bigint, since_s: number): Promise<FigureRow[]> {
  const { rows } = await sql<FigureRow>`
    select f.host_id, ${starts_s}, f.is_day, f.points from host_figures f
    where f.host_id = ${host_id} and f.starts_at >= date_trunc('day', to_timestamp(${since_s}), 'UTC')`.execute(
    db,
  )
  return rows
}

/** Locks and returns all rows of the days of some hosts that have hours to fold: a whole day after its end, the oldest first. */
export async function claimHours(tx: Tx, limit: number): Promise<(FigureRow & { day_s: number })[]> {
  const { rows } = await sql<FigureRow & { day_s: number }>`
    with due as (
      select distinct host_id, date_trunc('day', starts_at, 'UTC') as day from (
        select host_id, starts_at from host_figures
        where not is_day and starts_at < date_trunc('day', now() - interval '1 day', 'UTC') order by starts_at limit ${limit}) old)
    select f.host_id, ${starts_s}, f.is_day, f.points, extract(epoch from due.day)::float8 as day_s
    from due join host_figures f on f.host_id = due.host_id and f.starts_at >= due.day and f.starts_at < due.day + interval '1 day'
    order by f.host_id, f.starts_at for update of f`.execute(tx)
  return rows
}

/** Puts these rows of days in the place of all rows of their days. */
export async function replaceDays(tx: Tx, days: readonly FigureRow[]): Promise<void> {
  await sql`
    delete from host_figures f using unnest(${ids(days)}::bigint[], ${begins(days)}::bigint[]) as k (host_id, starts_s)
    where f.host_id = k.host_id and f.starts_at >= to_timestamp(k.starts_s)
      and f.starts_at < to_timestamp(k.starts_s) + interval '1 day'`.execute(tx)
  await sql`
    insert into host_figures (host_id, starts_at, is_day, points)
    select host_id, to_timestamp(starts_s), true, points
    from unnest(${ids(days)}::bigint[], ${begins(days)}::bigint[], ${bytes(days)}::bytea[]) as k (host_id, starts_s, points)`.execute(
    tx,
  )
}

/** Deletes some rows that no chart shows any more, or that a clock which was ahead has left. Returns their number. */
export async function dropSome(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    with old as (
      select ctid from host_figures where is_day and starts_at < now() - interval '31 days'
      union all select ctid from host_figures where not is_day and starts_at < now() - interval '31 days'
      union all select ctid from host_figures where not is_day and starts_at > now() + interval '1 day' limit ${limit}),
    gone as (delete from host_figures f using old where f.ctid = old.ctid returning 1)
    select count(*)::int as gone from gone`.execute(tx)
  return rows[0]?.gone ?? 0
}

export async function forgetFigures(tx: Tx, host_id: bigint): Promise<void> {
  await tx.deleteFrom('host_figures').where('host_id', '=', host_id).execute()
}
