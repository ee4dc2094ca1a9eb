import type { Log } from '#foundation/server/log.ts'
import { counter } from '#foundation/server/operation/metrics.ts'

// The transaction that holds the locks, without its type, as `transaction.ts` keeps its records here.
type Tx = { readonly isTransaction: true }

/**
 * A kind of rows that transactions lock. All transactions lock the kinds by rising `place`. `again` says how more rows of a kind may be
 * locked by a second statement: `higher` keys only, or `never`.
 */
export type LockKind = { name: string; place: number; again: 'higher' | 'never' }

type Key = string | bigint
type Held = { log: Pick<Log, 'error'> | undefined; kinds: Map<LockKind, Set<Key>>; waits: boolean }

const held = new WeakMap<Tx, Held>()

const outOfOrder = counter(
  'hostdesk_locks_out_of_order_total',
  'Locks that a transaction took in another order than all others, which can end in a deadlock, by the kind of the row.',
  ['kind'],
)

let isRefused = false

/** Lets a lock out of order fail its transaction, in the tests. An installation logs and counts it: a deadlock is rare, a refusal is not. */
export function refuseLocksOutOfOrder(): void {
  isRefused = true
}

/** Begins the record of the locks of a transaction. */
export function recordLocks(tx: Tx, log: Pick<Log, 'error'> | undefined): void {
  held.set(tx, { log, kinds: new Map(), waits: true })
}

/** Returns a function that takes the record back to how it is now: the locks of work that is undone are free again. */
export function keptLocks(tx: Tx): () => void {
  const kinds = new Map([...(held.get(tx)?.kinds ?? [])].map(([kind, keys]) => [kind, new Set(keys)]))
  return () => {
    const record = held.get(tx)
    if (record) record.kinds = kinds
  }
}

/** Does a part of a transaction that waits for no lock, and so may lock in any order. */
export async function withoutOrder<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const record = held.get(tx)
  if (!record?.waits) return work()
  record.waits = false
  try {
    return await work()
  } finally {
    record.waits = true
  }
}

/** True if this transaction has locked the row already. */
export const holdsLock = (tx: Tx, kind: LockKind, key: Key): boolean =>
  held.get(tx)?.kinds.get(kind)?.has(key) ?? false

/**
 * Records rows that a statement has locked, and refuses them where the transaction went backwards (rule 9): rows of a kind before one that
 * it has locked, or more rows of a kind that is locked once. A row that is locked already may be locked again at any time. A statement
 * that did not wait (`skip locked`) may lock any rows.
 */
export function recordLocked(
  tx: Tx,
  kind: LockKind,
  keys: readonly Key[],
  { waited = true }: { waited?: boolean } = {},
): void {
  const record = held.get(tx)
  // A connection that is no transaction keeps no locks.
  if (!record) return
  const { log, kinds } = record
  const own = kinds.get(kind) ?? new Set()
  const added = keys.filter((key) => !own.has(key))
  if (added.length === 0) return
  const before = [...own]
  const isLater = [...kinds.keys()].some(({ place }) => place > kind.place)
  const isAgain =
    before.length > 0 && (kind.again === 'never' || added.some((key) => before.some((one) => one > key)))
  kinds.set(kind, new Set([...before, ...added]))
  if (!waited || !record.waits || (!isLater && !isAgain)) return
  const error = new Error(
    `rule 9: ${kind.name} are locked after ${[...kinds.keys()].map(({ name }) => name).join(', ')}`,
  )
  outOfOrder.add({ kind: kind.name })
  log?.error({ error, kind: kind.name }, 'a lock was taken out of order')
  if (isRefused) throw error
}
