import { sql } from 'kysely'
import { locks } from '#features/finance/server/finance.ts'
import { batchedRows } from '#foundation/server/database/batched.ts'
import { recordLocked } from '#foundation/server/database/lock-order.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { hostRows, type Db, type HostRow } from './queries.ts'

type OwnedHost = Pick<HostRow, 'user_id' | 'public_id'>

/** Reads a host of this owner; undefined if there is none. Calls made at the same time ask together. */
export const readHost = batchedRows(
  async (db: Db, asked: readonly OwnedHost[]): Promise<(HostRow | undefined)[]> => {
    const owners = arrayOf(
      asked.map(({ user_id }) => user_id),
      'uuid',
    )
    const ids = arrayOf(
      asked.map(({ public_id }) => public_id),
      'text',
    )
    const { rows } = await sql<HostRow>`${hostRows}
      where (h.user_id, h.public_id) in (select * from unnest(${owners}, ${ids})) and h.deleted_at is null`.execute(
      db,
    )
    const found = new Map(rows.map((row) => [keyOf(row), row]))
    return asked.map((one) => found.get(keyOf(one)))
  },
)

/** A stranger may ask for a host in the same statement as its owner. */
const keyOf = ({ user_id, public_id }: OwnedHost): string => `${user_id} ${public_id}`

/**
 * Locks by one statement and reads by the next: a statement that waited for a lock still sees other tables as
 * they were before the wait, and would miss the plan of the order that it waited for.
 */
export async function lockHost(tx: Tx, user_id: string, public_id: string): Promise<HostRow | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    select id from hosts where user_id = ${user_id} and public_id = ${public_id} and deleted_at is null for update`.execute(
    tx,
  )
  recordLocked(
    tx,
    locks.hosts,
    rows.map(({ id }) => id),
  )
  return rows.length > 0 ? readHost(tx, { user_id, public_id }) : undefined
}
