import { sql } from 'kysely'
import { FORMER_KEY_HOURS } from '#features/hosts/rules.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Keeps the present key of a host as one that still answers for a while. */
export async function keepKey(tx: Tx, id: bigint): Promise<void> {
  await sql`insert into former_keys (licence_key, host_id, user_id, ends_at)
    select licence_key, id, user_id, now() + make_interval(hours => ${FORMER_KEY_HOURS}) from hosts where id = ${id}`.execute(
    tx,
  )
}

/** Ends all former keys of a host now. */
export async function dropKeys(tx: Tx, id: bigint): Promise<void> {
  await tx.deleteFrom('former_keys').where('host_id', '=', id).execute()
}

export async function setKey(tx: Tx, id: bigint, licence_key: string): Promise<void> {
  await sql`update hosts set licence_key = ${licence_key}, key_checked_at = now() where id = ${id}`.execute(
    tx,
  )
}

/** Notes that the owner lets the key of a host stay. */
export async function noteKeyChecked(tx: Tx, id: bigint): Promise<void> {
  await sql`update hosts set key_checked_at = now() where id = ${id}`.execute(tx)
}

/** Deletes the keys whose time is over. Their revocations begin at the same time, so the list of them gets its next number. */
export async function endKeys(tx: Tx): Promise<void> {
  const { rows } = await sql`delete from former_keys where ends_at <= now() returning host_id`.execute(tx)
  if (rows.length > 0) await sql`select next_revocation()`.execute(tx)
}
