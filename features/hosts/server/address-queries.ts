import { sql } from 'kysely'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { HostRow } from './queries.ts'

/** `counted`: the row keeps the time of this change, with the times of the last two before it. */
export async function setAddresses(
  tx: Tx,
  id: bigint,
  { ipv4, ipv6 }: Pick<HostRow, 'ipv4' | 'ipv6'>,
  { counted }: { counted: boolean },
): Promise<void> {
  await sql`update hosts set ipv4 = ${ipv4}::inet, ipv6 = ${ipv6}::inet, ipv4_changes = case when ${counted}
      then (array_append(ipv4_changes, now()))[greatest(1, cardinality(ipv4_changes) - 1):] else ipv4_changes end
    where id = ${id}`.execute(tx)
}

/** Forgets the counted address changes of a host. */
export async function forgetAddressChanges(tx: Tx, id: bigint): Promise<void> {
  await sql`update hosts set ipv4_changes = '{}' where id = ${id}`.execute(tx)
}
