import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { must } from '#foundation/must.ts'
import { parsePosition } from '#foundation/read-after.ts'
import type { Database } from './tables.ts'

/** Returns a position of the write-ahead log that lies after everything that is committed by now. */
export async function writtenPosition(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{
    written: string
  }>`select pg_current_wal_insert_lsn()::text as written`.execute(db)
  return must(rows[0]).written
}

/** Returns the position of the write-ahead log up to which a standby has replayed; undefined on a server that is no standby. */
export async function replayedPosition(client: pg.Client): Promise<bigint | undefined> {
  const { rows } = await client.query<{ replayed: string | null }>(
    'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as replayed',
  )
  return parsePosition(rows[0]?.replayed)
}

/** Throws if the server follows another database, or if a pooler in between ignores the limits of the connection. */
export async function assertReplica(
  client: pg.Client,
  primary: Kysely<Database>,
  lock_timeout: string,
): Promise<void> {
  const there = await client.query<{ id: string; lock_timeout: string }>(
    `select system_identifier::text as id, current_setting('lock_timeout') as lock_timeout from pg_control_system()`,
  )
  const here = await sql<{
    id: string
  }>`select system_identifier::text as id from pg_control_system()`.execute(primary)
  if (there.rows[0]?.id !== here.rows[0]?.id) throw new Error('it is no standby of DATABASE_URL')
  if (there.rows[0]?.lock_timeout !== lock_timeout)
    throw new Error('it leads to a pooler; set it to the standby itself')
}
