import { sql } from 'kysely'
import { batchedRows } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Claim = { user_id: string; host_id: bigint; ipv4: string; starts_at: Date; ends_at: Date }

/**
 * Claims an address for a period; false, with nothing written, if another licence has it then. The constraint
 * decides, after waiting for any transaction that is claiming it at the same time.
 */
export const insertClaim = batchedRows(async (tx: Tx, claims: readonly Claim[]): Promise<boolean[]> => {
  const { rows } = await sql<{ host_id: bigint; claimed: boolean }>`
    select host_id, claim_address(user_id, host_id, ipv4, starts_at, ends_at) as claimed
    from unnest(${claims.map(({ user_id }) => user_id)}::uuid[], ${claims.map(({ host_id }) => String(host_id))}::bigint[],
      ${claims.map(({ ipv4 }) => ipv4)}::inet[], ${claims.map(({ starts_at }) => starts_at)}::timestamptz[],
      ${claims.map(({ ends_at }) => ends_at)}::timestamptz[]) as claim (user_id, host_id, ipv4, starts_at, ends_at)`.execute(
    tx,
  )
  const claimed = new Map(rows.map((row) => [row.host_id, row.claimed]))
  return claims.map(({ host_id }) => claimed.get(host_id) ?? false)
})

/** Releases a host's claims from `from` on. */
export async function cutClaims(tx: Tx, host_id: bigint, from: Date): Promise<void> {
  await tx
    .deleteFrom('licensed_addresses')
    .where('host_id', '=', host_id)
    .where('starts_at', '>=', from)
    .execute()
  await tx
    .updateTable('licensed_addresses')
    .set({ ends_at: from })
    .where('host_id', '=', host_id)
    .where('ends_at', '>', from)
    .execute()
}
