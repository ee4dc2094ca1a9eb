import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { dropKeys } from './key-queries.ts'

type Db = App['db']
type Ending = 'accepted' | 'declined' | 'withdrawn' | 'expired' | 'ended'

export type TransferRow = {
  id: string
  host_id: bigint
  /** The owner who offers the host. */
  user_id: string
  /** Null once the address is erased; an open offer always has its address. */
  email: string | null
  receiver_id: string | null
  state: 'offered' | Ending
  created_at: Date
  expires_at: Date
  ended_at: Date | null
  /** True while the offer is unanswered and has not expired by the database's clock. */
  is_open: boolean
}

const transfers = sql`select t.id, t.host_id, t.user_id, t.email, t.receiver_id, t.state, t.created_at, t.expires_at, t.ended_at,
    t.state = 'offered' and t.expires_at > clock_timestamp() as is_open
  from host_transfers t`

const newestFirst = sql`order by t.created_at desc, t.id`

/** The transfers that an account has offered, open and ended ones. */
export async function transfersBy(db: Db, user_id: string): Promise<TransferRow[]> {
  const { rows } =
    await sql<TransferRow>`${transfers} where t.user_id = ${user_id}::uuid ${newestFirst}`.execute(db)
  return rows
}

/** The transfers that are offered to these addresses of an account, and those that it has accepted or declined: open and ended ones. */
export async function transfersTo(
  db: Db,
  user_id: string,
  emails: readonly string[],
): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`${transfers}
    where t.user_id <> ${user_id}::uuid and (t.receiver_id = ${user_id}::uuid
      or (t.receiver_id is null and t.email in (select proven from unnest(${[...emails]}::text[]) proven)))
    ${newestFirst}`.execute(db)
  return rows
}

export async function findTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  const { rows } = await sql<TransferRow>`${transfers} where t.id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** Locks a transfer until the transaction ends, and reads it by a second statement: the first may have waited. A host is locked before it. */
export async function lockTransfer(tx: Tx, id: string): Promise<TransferRow | undefined> {
  await sql`select from host_transfers where id = ${id}::uuid for update`.execute(tx)
  return findTransfer(tx, id)
}

/** Locks and returns the open offers of these hosts, expired ones too if no job has ended them; the hosts are locked before. */
export async function lockOffersOf(tx: Tx, host_ids: readonly bigint[]): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`${transfers}
    where t.host_id = any(${host_ids.map(String)}::bigint[]) and t.state = 'offered' order by t.id for update of t`.execute(
    tx,
  )
  return rows
}

/** Returns the id of the transfer; undefined if the host is offered already. */
export async function insertTransfer(
  tx: Tx,
  transfer: Pick<TransferRow, 'host_id' | 'user_id' | 'email'>,
): Promise<string | undefined> {
  const row = await tx
    .insertInto('host_transfers')
    .values(transfer)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function endTransfer(
  tx: Tx,
  id: string,
  state: Ending,
  receiver_id: string | null = null,
): Promise<void> {
  await sql`update host_transfers set state = ${state}, ended_at = now(), receiver_id = ${receiver_id}::uuid
    where id = ${id}::uuid and state = 'offered'`.execute(tx)
}

/** Returns the ids of offers that expired more than `late_s` seconds ago: their jobs must be lost. */
export async function lateTransfers(tx: Tx, late_s: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from host_transfers
    where state = 'offered' and expires_at < now() - make_interval(secs => ${late_s})
    order by expires_at limit 500`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function forgetTransfers(tx: Tx): Promise<void> {
  await sql`delete from host_transfers where ended_at < now() - interval '180 days'`.execute(tx)
}

export type LeftTransfer = Pick<TransferRow, 'host_id' | 'user_id' | 'email'> & { was_open: boolean }

/** Ends the offers to an account that is deleted, and erases its addresses. Returns the offers that ended. */
export async function leaveTransfers(tx: Tx, user_id: string): Promise<LeftTransfer[]> {
  const { rows } = await sql<LeftTransfer>`select * from leave_transfers(${user_id}::uuid)`.execute(tx)
  return rows
}

/**
 * Gives the host to another account: rows that carry its owner follow, its agent's token and its licence keys of before are void, and the
 * automatic renewal is off.
 */
export async function giveHost(tx: Tx, id: bigint, to: string, licence_key: string): Promise<void> {
  await tx.deleteFrom('host_agents').where('host_id', '=', id).execute()
  await dropKeys(tx, id)
  await sql`update hosts set user_id = ${to}::uuid, auto_renew = false, licence_key = ${licence_key}, key_checked_at = now()
    where id = ${id}`.execute(tx)
}

/** Gives the host to another account, and nothing else of it changes: rows that carry its owner follow. */
export async function changeOwner(tx: Tx, id: bigint, to: string): Promise<void> {
  await sql`update hosts set user_id = ${to}::uuid where id = ${id}`.execute(tx)
}

/** Returns the row id of a customer's host, which stays theirs until the transaction ends; undefined for a foreign, deleted or unknown host. */
export async function holdHost(tx: Tx, user_id: string, public_id: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    select id from hosts where user_id = ${user_id} and public_id = ${public_id} and deleted_at is null for key share`.execute(
    tx,
  )
  return rows[0]?.id
}
