import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MachineRow } from './machine-queries.ts'

/** The time for which a seat is held, by the clock of the database. */
export type LeaseTimes = { at: Date; until: Date }

/**
 * Extends the lease of a machine that holds a seat; undefined if the seat was freed or taken meanwhile. No other seat is touched, so the host
 * need not be locked. An index sees no change but once an hour, by `last_seen`.
 */
export async function extendLease(
  tx: Tx,
  { id, hostname, lease_s }: { id: string; hostname: string | null; lease_s: number },
): Promise<LeaseTimes | undefined> {
  const { rows } = await sql<LeaseTimes>`
    update activations set leased_at = n.at, lease_until = n.at + make_interval(secs => ${lease_s}),
      last_seen = case when last_seen < n.at - interval '1 hour' then n.at else last_seen end,
      hostname = coalesce(${hostname}, hostname)
    from (select clock_timestamp() as at) n
    where id = ${id}::uuid and released_at is null and lease_until > clock_timestamp()
    returning leased_at as at, lease_until as until`.execute(tx)
  return rows[0]
}

/**
 * Frees the seats whose leases have run out. The caller has locked the host. An extension that has not been committed yet makes this
 * statement wait, and then the seat is not free.
 */
export async function freeExpiredSeats(tx: Tx, host_id: bigint): Promise<void> {
  await sql`update activations set lease_until = null
    where host_id = ${host_id} and released_at is null and lease_until <= clock_timestamp()`.execute(tx)
}

/** Gives a machine a seat if other machines hold fewer than `limit`. The caller has locked the host and freed the silent seats. */
export async function takeSeat(
  tx: Tx,
  { id, host_id }: Pick<MachineRow, 'id' | 'host_id'>,
  { limit, lease_s }: { limit: number; lease_s: number },
): Promise<LeaseTimes | undefined> {
  const { rows } = await sql<LeaseTimes>`
    update activations set leased_at = n.at, last_seen = n.at, lease_until = n.at + make_interval(secs => ${lease_s})
    from (select clock_timestamp() as at) n
    where id = ${id}::uuid and (select count(*) from activations other where other.host_id = ${host_id}
      and other.released_at is null and other.lease_until is not null and other.id <> ${id}::uuid) < ${limit}
    returning leased_at as at, lease_until as until`.execute(tx)
  return rows[0]
}

/** Frees a seat; returns false if the machine holds none. */
export async function freeSeat(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`update activations set lease_until = null
    where id = ${id}::uuid and released_at is null and lease_until > clock_timestamp() returning id`.execute(
    tx,
  )
  return rows.length > 0
}

/** Deletes the machines without a seat that were silent for the longest, until `kept` machines are left. The caller has locked the host. */
export async function forgetOldest(tx: Tx, host_id: bigint, kept: number): Promise<void> {
  await sql`delete from activations where id in (
      select id from activations where host_id = ${host_id} and released_at is null
      order by lease_until is null, greatest(last_seen, leased_at) desc offset ${kept})
    and lease_until is null`.execute(tx)
}

/** Deletes the machines of a licence that floats no more: from now on a machine has a place for as long as it is seen. */
export async function forgetFloating(tx: Tx, host_id: bigint): Promise<void> {
  await sql`delete from activations where host_id = ${host_id} and released_at is null and leased_at is not null`.execute(
    tx,
  )
}
