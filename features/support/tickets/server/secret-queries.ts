import { sql, type Kysely } from 'kysely'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Message } from '#features/support/tickets/contract.ts'
import type { MessageRow } from './message-queries.ts'

type Db = Kysely<Database>

export type Secrets = ReadonlyMap<string, NonNullable<Message['secret']>>

/** The states of the secrets of these messages, by the id of the secret. Messages without one cost no statement. */
export async function secretsIn(db: Db, rows: readonly MessageRow[]): Promise<Secrets> {
  const ids = rows.flatMap(({ secret_id }) => secret_id ?? [])
  if (ids.length === 0) return new Map()
  const found = await sql<{ id: string; at: Date; state: 'waiting' | 'opened' | 'wiped' }>`
    select id, coalesce(opened_at, wiped_at, expires_at) as at,
      case when opened_at is not null then 'opened' when sealed is null or expires_at <= now() then 'wiped' else 'waiting' end as state
    from ticket_secrets where id = any (${arrayOf(ids, 'uuid')})`.execute(db)
  return new Map(found.rows.map(({ id, state, at }) => [id, { state, at: at.toISOString() }]))
}

export type NewSecret = { id: string; ticket_id: bigint; user_id: string; by_staff: boolean; sealed: string }

export async function insertSecret(tx: Tx, secret: NewSecret): Promise<void> {
  await tx.insertInto('ticket_secrets').values(secret).execute()
}

/** Locks a secret that still waits; undefined for one that was opened or wiped, or that is past its time. */
export async function lockSecret(
  tx: Tx,
  id: string,
): Promise<{ by_staff: boolean; sealed: string } | undefined> {
  const { rows } = await sql<{ by_staff: boolean; sealed: string }>`
    select by_staff, sealed from ticket_secrets
    where id = ${id}::uuid and sealed is not null and expires_at > now() for update`.execute(tx)
  return rows[0]
}

/** Notes who opened a secret, and wipes it. */
export async function noteOpened(tx: Tx, id: string, person_id: string): Promise<void> {
  await sql`update ticket_secrets set sealed = null, opened_at = date_trunc('milliseconds', now()), opened_by = ${person_id}::uuid
    where id = ${id}::uuid`.execute(tx)
}

/** Wipes the secrets that nobody opened in time. */
export async function wipeExpired(tx: Tx): Promise<void> {
  await sql`update ticket_secrets set sealed = null, wiped_at = date_trunc('milliseconds', now())
    where sealed is not null and expires_at <= now()`.execute(tx)
}

export async function deleteSecret(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('ticket_secrets').where('id', '=', id).execute()
}

/** Secrets that another key than `boxId` sealed; their rows are locked. */
export async function secretsOfOtherKeys(
  tx: Tx,
  boxId: string,
  limit: number,
): Promise<{ id: string; sealed: string }[]> {
  const { rows } = await sql<{ id: string; sealed: string }>`
    select id, sealed from ticket_secrets where sealed not like ${`${boxId}.%`} limit ${limit} for update`.execute(
    tx,
  )
  return rows
}

export async function setSealed(tx: Tx, id: string, sealed: string): Promise<void> {
  await sql`update ticket_secrets set sealed = ${sealed} where id = ${id}::uuid`.execute(tx)
}
