import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** Removes a host that goes to another account from all grants. Returns the ids of the grants that named it. */
export async function leaveGrants(tx: Tx, host_id: bigint): Promise<string[]> {
  const { rows } = await sql<{
    grant_id: string
  }>`delete from account_grant_hosts where host_id = ${host_id} returning grant_id`.execute(tx)
  return rows.map(({ grant_id }) => grant_id)
}

/** Deletes the grants of a deleted account, so that nothing names its address any more. */
export async function deleteGrantsWith(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from account_grants where owner_id = ${user_id} or grantee_id = ${user_id}`.execute(tx)
}

export async function expireInvitations(tx: Tx): Promise<void> {
  await sql`update account_grants set state = 'expired', ended_at = now() where state = 'invited' and expires_at <= now()`.execute(
    tx,
  )
  await sql`delete from account_grants where ended_at < now() - interval '180 days'`.execute(tx)
}
