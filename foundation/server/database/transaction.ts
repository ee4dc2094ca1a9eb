import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type ControlledTransaction, type Kysely } from 'kysely'
import { errorCode } from '#foundation/server/error-code.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import type { Log } from '#foundation/server/log.ts'
import { counter } from '#foundation/server/operation/metrics.ts'
import { atOnce } from './batched.ts'
import { keptLocks, recordLocks } from './lock-order.ts'
import { inside } from './open-transaction.ts'
import { isStalePlan } from './stale-plan.ts'
import { TryAgain } from './try-again.ts'
import { must } from '#foundation/must.ts'
import type { Database } from '#foundation/server/database/tables.ts'

/** An open transaction. Every function in queries.ts that writes takes it, so that no write is outside a transaction. */
export type Tx = Kysely<Database> & { readonly isTransaction: true }

/**
 * The one for whom the transaction writes: a user, whose rows alone row-level security lets it write; or the system, which writes rows of
 * everybody, for a call of a person (`systemFor`) or by itself. The account of a user or person stays active until the commit: its deletion
 * waits, and nobody begins for a deleted account. A transaction for `nobody` only reads.
 */
export type Author = { userId: string } | { systemFor: string } | 'system' | 'nobody'

const RETRIES = 3
// The locks of other acts are free again within milliseconds, and an act that gave up its own ones has cost nobody anything.
const RETRIES_OF_WORK = 8
const LONGEST_PAUSE_ms = 100
const reasons = { '40001': 'serialization', '40P01': 'deadlock' } as const

const retries = counter(
  'hostdesk_transaction_retries_total',
  'Transactions that were undone and run again, or given up after the last try, by the reason.',
  ['reason'],
)

/**
 * Runs `work` in one transaction and commits it. Runs all of it again, at most three times, if PostgreSQL asks for that (40001, 40P01), if
 * the work does (`TryAgain`), or if a migration at the same time has made a plan stale; so `work` must do nothing but SQL. Each time is counted and logged. The error of
 * the last try is answered by 503 with Retry-After, as of a database that is too busy. Throws 401 if the author's account is not active (any
 * more), as for a caller whose session has ended, and 404 if somebody acts for it, as for an ended grant.
 */
export async function transaction<T>(
  app: {
    db: Kysely<Database>
    acting?: { hold: (tx: Tx) => Promise<void> } | undefined
    log?: Pick<Log, 'warn' | 'error'>
  },
  author: Author,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    const tx = await app.db.startTransaction().execute()
    recordLocks(tx, app.log)
    try {
      await actAs(tx, app.db, author)
      await app.acting?.hold(tx)
      const result = await inside(app.db, async () => {
        const done = await work(tx)
        await runLastActs(tx)
        return done
      })
      await tx.commit().execute()
      return result
    } catch (error) {
      // A lost connection has rolled back by itself; its error is the one to report.
      if (!tx.isCommitted && !tx.isRolledBack)
        await tx
          .rollback()
          .execute()
          .catch(() => {})
      if (errorCode(error) === NOT_ACTIVE)
        throw app.acting ? notFound() : new HttpError(401, [{ code: 'not_authenticated' }])
      const reason = reasonToRetry(error)
      if (!reason) throw error
      retries.add({ reason })
      app.log?.warn({ reason, attempt, error }, 'a transaction was undone')
      if (attempt >= (reason === 'moved' ? RETRIES_OF_WORK : RETRIES)) throw error
      await sleep(Math.min(2 ** attempt * 5, LONGEST_PAUSE_ms) + Math.random() * 10)
    }
  }
}

// `begin_for` in the database raises it.
const NOT_ACTIVE = 'HD401'

/** Says for whom the transaction writes, keeps that account from being deleted meanwhile, and reads when the last account got a reader of its events (account-events/known-lists.ts). */
async function actAs(
  tx: ControlledTransaction<Database>,
  db: Kysely<Database>,
  author: Author,
): Promise<void> {
  const epoch = sql`(select epoch from known_event_epoch) as epoch`
  if (typeof author === 'string')
    await sql`/* with BEGIN */ select set_config('app.actor', ${author}, true), ${epoch}`.execute(tx)
  else {
    const [actor, account] =
      'userId' in author ? [author.userId, author.userId] : ['system', author.systemFor]
    await sql`/* with BEGIN */ select begin_for(${actor}, ${account}::uuid), ${epoch}`.execute(tx)
  }
  beginnings.set(tx, { db })
}

const beginnings = new WeakMap<Tx, { db: Kysely<Database>; epoch?: bigint }>()

/** Returns the database of a transaction, and the time of the last reader that it knew at its start. */
export async function beginningOf(tx: Tx): Promise<{ db: Kysely<Database>; epoch: bigint }> {
  const beginning = must(beginnings.get(tx))
  // An act may ask for each of a thousand events.
  beginning.epoch ??= must(
    (await sql<{ epoch: bigint }>`/* rows of the opening */`.execute(tx)).rows[0],
  ).epoch
  return { db: beginning.db, epoch: beginning.epoch }
}

/**
 * Does `work` and undoes all of it, inside the transaction: for an answer that must cost as much as another. The attack is to measure
 * which of the two it was.
 */
export async function undone(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  const part = await savepoint(tx)
  await work()
  await part.undo()
}

/** Does `work`; if it throws, undoes all of it, and throws its error on: the caller decides if the rest of the transaction stands without it. */
export async function allOrNothing<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const part = await savepoint(tx)
  try {
    const done = await work()
    part.leave()
    return done
  } catch (error) {
    // Without its connection nothing can be undone, and nothing needs to be.
    await part.undo().catch(() => {
      throw error
    })
    throw error
  }
}

// The number of parts that are open: a part within a part has a name of its own, or the outer one would be undone only from the inner one on.
const depths = new WeakMap<Tx, number>()

/** Begins a part of a transaction; `undo` undoes it, with what it would write last and the locks it took. It ends by one of the two. */
async function savepoint(tx: Tx): Promise<{ undo: () => Promise<void>; leave: () => void }> {
  const before = lastActs.get(tx) ?? {}
  const depth = depths.get(tx) ?? 0
  const name = sql.id(depth === 0 ? 'part' : `part_${depth}`)
  const takeLocksBack = keptLocks(tx)
  await sql`savepoint ${name}`.execute(tx)
  depths.set(tx, depth + 1)
  const leave = () => void depths.set(tx, depth)
  const undo = async () => {
    await sql`rollback to savepoint ${name}`.execute(tx)
    lastActs.set(tx, before)
    takeLocksBack()
    leave()
  }
  return { undo, leave }
}

/**
 * Does a part of a transaction of the system as if `user_id` had begun it: row-level security lets it write for this account alone, as it
 * would let a call of it.
 */
export async function writingFor<T>(tx: Tx, user_id: string, work: () => Promise<T>): Promise<T> {
  await sql`select set_config('app.actor', ${user_id}, true)`.execute(tx)
  const result = await work()
  await sql`select set_config('app.actor', 'system', true), set_config('app.person', '', true),
    set_config('app.through', '', true), set_config('app.payer', '', true)`.execute(tx)
  return result
}

/**
 * The last steps of every transaction, in this order: with different orders, two transactions could wait for each other. Account events
 * are read after the numbers that they tell.
 */
const LAST = ['number', 'jobs', 'record', 'events'] as const
type LastKind = (typeof LAST)[number]
type Write = (tx: Tx, items: readonly unknown[]) => Promise<void>

/** An item that is written lastly, and those before it: none is ever changed, so that a savepoint can keep what was there. */
type Gathered = { item: unknown; write: Write; before: Gathered | undefined }

const lastActs = new WeakMap<Tx, Partial<Record<LastKind, Gathered>>>()

/**
 * Runs `act` when the work of the transaction is done, right before the commit: for rows that everybody waits for, so that their locks are
 * held for a round trip or two and the commit. A failure of `act` fails the transaction.
 */
export function lastly(tx: Tx, kind: LastKind, act: () => Promise<void>): void {
  gathered(tx, kind, act, runEach)
}

async function runEach(_tx: Tx, acts: readonly (() => Promise<void>)[]): Promise<void> {
  await atOnce(acts.map((act) => act()))
}

/**
 * Gives `item` to `write`, together with all others of the transaction, at the turn of their kind. An item that `undone` has undone is not
 * written.
 */
export function gathered<Item>(
  tx: Tx,
  kind: LastKind,
  item: Item,
  write: (tx: Tx, items: readonly Item[]) => Promise<void>,
): void
export function gathered(tx: Tx, kind: LastKind, item: unknown, write: Write): void {
  const acts = lastActs.get(tx)
  lastActs.set(tx, { ...acts, [kind]: { item, write, before: acts?.[kind] } })
}

/**
 * Runs the acts of `lastly` now, once: before each commit, and where the demo data has to read the rows that they write. An act may ask for
 * more of the kinds after its own.
 */
export async function runLastActs(tx: Tx): Promise<void> {
  for (const kind of LAST) {
    const { [kind]: newest, ...others } = lastActs.get(tx) ?? {}
    lastActs.set(tx, others)
    const groups = Map.groupBy(fromOldest(newest), ({ write }) => write)
    await atOnce(
      [...groups].map(([write, all]) =>
        write(
          tx,
          all.map(({ item }) => item),
        ),
      ),
    )
  }
  const late = Object.keys(lastActs.get(tx) ?? {})
  if (late.length > 0)
    throw new Error(`Asked for after its turn at the end of a transaction: ${late.join(', ')}`)
}

function fromOldest(newest: Gathered | undefined): Gathered[] {
  const all: Gathered[] = []
  for (let one = newest; one; one = one.before) all.push(one)
  return all.toReversed()
}

/** Waits until no other transaction holds this name, and holds it until the end: for acts that must not run twice. */
export async function lockByName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** True for an error after which `transaction` runs all of its work again. */
export const isRepeatable = (error: unknown): boolean => reasonToRetry(error) !== undefined

function reasonToRetry(error: unknown): 'serialization' | 'deadlock' | 'stale_plan' | 'moved' | undefined {
  if (error instanceof TryAgain) return 'moved'
  const code = errorCode(error)
  if (code === '40001' || code === '40P01') return reasons[code]
  return isStalePlan(error) ? 'stale_plan' : undefined
}
