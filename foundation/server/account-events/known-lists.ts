import type { Kysely } from 'kysely'
import type { Database } from '#foundation/server/database/tables.ts'
import { beginningOf, type Tx } from '#foundation/server/database/transaction.ts'
import { listsSince } from './queries.ts'

type Known = { epoch: bigint; owners: Set<string> }

const known = new WeakMap<Kysely<Database>, Known>()

/**
 * Returns those of these accounts that may have a reader. It costs no statement, but for the first that asks in a process since a list began:
 * each transaction reads at its start when the last one did. A list that has ended is remembered on; the statement that writes knows better.
 */
export async function mayBeRead(tx: Tx, owners: readonly string[]): Promise<string[]> {
  const { db, epoch } = await beginningOf(tx)
  let lists = known.get(db)
  if (!lists || lists.epoch < epoch) {
    const added = await listsSince(tx, lists?.epoch ?? 0n)
    lists = { epoch: added.epoch, owners: new Set([...(lists?.owners ?? []), ...added.owners]) }
    known.set(db, lists)
  }
  const { owners: read } = lists
  return owners.filter((owner) => read.has(owner))
}
