import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'

/**
 * Gives tickets to another account of the same person: all of them, or these. Messages keep their authors, and what was read stays read.
 * Returns the tickets.
 */
export async function giveTickets(
  tx: Tx,
  { from, to, ids }: { from: string; to: string; ids?: readonly bigint[] },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select id from tickets where user_id = ${from}::uuid and ${ids ? sql`id = any(${ids.map(String)}::bigint[])` : sql`true`}
    order by id for update`.execute(tx)
  const given = rows.map(({ id }) => id)
  await sql`select give_tickets(${given.map(String)}::bigint[], ${to}::uuid)`.execute(tx)
  return given
}
