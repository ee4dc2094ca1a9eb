import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

export type MachineRow = {
  id: string
  host_id: bigint
  fingerprint: string | null
  hostname: string | null
  address: string
  first_seen: Date
  last_seen: Date
  mailed_at: Date | null
  /** The digest of its present boot; null while none was reported. */
  boot: string | null
  /** The last boots that another one has followed. */
  past_boots: string[]
  /** The fingerprint that it reports, if another machine reports it too. */
  clone_of: string | null
  /** The last time at which it took or extended a floating seat; null: never. */
  leased_at: Date | null
  /** The end of its floating seat, or null if it holds none. */
  lease_until: Date | null
}

const columns = sql`id, host_id, fingerprint, hostname, host(address) as address, first_seen,
  greatest(last_seen, leased_at) as last_seen, mailed_at, boot, past_boots, clone_of, leased_at, lease_until`

/** The machines of a host that are not released, in the order in which they were first seen. */
export const machinesOf = async (db: App['db'], host_id: bigint): Promise<readonly MachineRow[]> =>
  (await byHost(db, host_id)) ?? []

const byHost = batched(async (db: App['db'], host_ids: readonly bigint[]) => {
  const { rows } = await sql<MachineRow>`select ${columns} from activations
    where host_id = any(${host_ids.map(String)}::bigint[]) and released_at is null order by first_seen, id`.execute(
    db,
  )
  return Map.groupBy(rows, ({ host_id }) => host_id)
})

type New = {
  host_id: bigint
  user_id: string
  fingerprint: string | null
  hostname: string | null
  address: string
  boot?: string | null | undefined
  clone_of?: string | null
}

/** Notes that a machine was seen; a new machine comes last. The caller has locked the host. */
export async function putMachine(
  tx: Tx,
  { host_id, user_id, fingerprint, hostname, address, boot = null, clone_of = null }: New,
): Promise<void> {
  await sql`insert into activations (host_id, user_id, fingerprint, hostname, address, boot, clone_of)
    values (${host_id}, ${user_id}, ${fingerprint}, ${hostname}, ${address}, ${boot}, ${clone_of})
    on conflict (host_id, fingerprint) where released_at is null
      do update set last_seen = clock_timestamp(), hostname = coalesce(excluded.hostname, activations.hostname),
        boot = coalesce(excluded.boot, activations.boot)`.execute(tx)
}

const MOST_BOOTS = 10

/** Notes the present boot of a machine; the one of before is kept, unless the machine turns out to run with this boot all along. */
export async function setBoot(tx: Tx, id: string, boot: string): Promise<void> {
  await sql`update activations set last_seen = clock_timestamp(), boot = ${boot}, past_boots = case
      when ${boot} = any(past_boots) or activations.boot is null then array_remove(past_boots, ${boot})
      else (array_append(past_boots, activations.boot))[greatest(1, cardinality(past_boots) + 2 - ${MOST_BOOTS}):] end
    where id = ${id}::uuid`.execute(tx)
}

/** Notes that a known machine was seen. */
export async function noteSeen(tx: Tx, id: string, hostname: string | null): Promise<void> {
  await sql`update activations set last_seen = clock_timestamp(), hostname = coalesce(${hostname}, hostname) where id = ${id}::uuid`.execute(
    tx,
  )
}

export async function noteMail(tx: Tx, id: string): Promise<void> {
  await sql`update activations set mailed_at = clock_timestamp() where id = ${id}::uuid`.execute(tx)
}

/** Releases a machine for its owner; returns false if there is no such machine, or if it was released already. */
export async function release(tx: Tx, host_id: bigint, id: string): Promise<boolean> {
  const { rows } = await sql`update activations set released_at = clock_timestamp(), released_by = 'owner'
    where id = ${id}::uuid and host_id = ${host_id} and released_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** The number of machines that the owner has released in the last 30 days. */
export async function releasesOf(db: App['db'], host_id: bigint): Promise<number> {
  const { rows } = await sql<{ released: number }>`select count(*)::int as released from activations
    where host_id = ${host_id} and released_by = 'owner' and forgiven_at is null and released_at > now() - interval '30 days'`.execute(
    db,
  )
  return rows[0]?.released ?? 0
}

/** Lets the releases of a host until now count no longer. */
export async function forgiveReleases(tx: Tx, host_id: bigint): Promise<void> {
  await sql`update activations set forgiven_at = now() where host_id = ${host_id} and released_at is not null and forgiven_at is null`.execute(
    tx,
  )
}

export async function forgetMachines(tx: Tx, host_id: bigint): Promise<void> {
  await sql`delete from activations where host_id = ${host_id}`.execute(tx)
}

/**
 * Releases machines that were not seen for 30 days, or for a day if they share their id, and deletes those that were released more than 180
 * days ago. Machines of floating licences are deleted after 30 days at once.
 */
export async function sweepMachines(tx: Tx): Promise<void> {
  await sql`delete from activations
    where released_at is null and last_seen < now() - interval '30 days' and leased_at is not null`.execute(
    tx,
  )
  await sql`update activations set released_at = now(), released_by = 'system'
    where released_at is null and (last_seen < now() - interval '30 days'
      or (clone_of is not null and last_seen < now() - interval '1 day'))`.execute(tx)
  await sql`delete from activations where released_at < now() - interval '180 days'`.execute(tx)
}

type OwnedMachine = Pick<
  MachineRow,
  'host_id' | 'hostname' | 'address' | 'first_seen' | 'last_seen' | 'lease_until'
> & {
  released_at: Date | null
}

/** The machines of an account, for the copy of its data. */
export async function machinesOfUser(db: App['db'], user_id: string): Promise<OwnedMachine[]> {
  const { rows } = await sql<OwnedMachine>`
    select host_id, hostname, host(address) as address, first_seen, greatest(last_seen, leased_at) as last_seen, lease_until,
      released_at
    from activations where user_id = ${user_id}::uuid order by first_seen, id`.execute(db)
  return rows
}
