import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import {
  beginList,
  isBeingRead,
  keepList,
  lockList,
  openTransactions,
  settleList,
} from './reading-queries.ts'

const LONGEST_WAIT_ms = 10_000
const PAUSE_ms = 5

/**
 * Makes an account, or the operator, a reader for 30 days: from the return of this function on, its list misses no act. An act that began
 * before the list does not know of it, so the beginning waits for the end of all that run, which takes milliseconds; where one takes
 * longer than ten seconds, the answer is 503, and the next call waits on. It costs one read where the account is a reader already.
 */
export async function becomeReader(app: Pick<App, 'db' | 'log'>, owner: string): Promise<void> {
  if (await isBeingRead(app.db, owner)) return
  // A helper who writes nothing may read: the list is begun by the system, not by the helper.
  const system = { db: app.db, log: app.log }
  const isNew = await transaction(system, 'system', (tx) => beginList(tx, owner))
  if (!isNew) return
  await waitForOlder(app)
  await transaction(system, 'system', (tx) => settleList(tx, owner))
}

async function waitForOlder({ db }: Pick<App, 'db'>): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_ms
  let older = new Set(await openTransactions(db))
  while (older.size > 0) {
    if (performance.now() > end) throw new HttpError(503, [{ code: 'unavailable' }])
    await sleep(PAUSE_ms)
    const open = await openTransactions(db)
    older = new Set(open.filter((name) => older.has(name)))
  }
}

/**
 * For the transaction that adds or removes an endpoint, after it did: locks the list, so that two of them take turns, and keeps it written
 * for ever if there are endpoints, or else for 30 days. Returns the newest number, from which a new endpoint reads on. The owner has become a
 * reader before.
 */
export async function settleReading(
  tx: Tx,
  owner: string,
  hasEndpoints: () => Promise<boolean>,
): Promise<{ last: number }> {
  const last = await lockList(tx, owner)
  const isForever = await hasEndpoints()
  if (last === undefined && isForever) throw new Error(`${owner} has an endpoint and is no reader`)
  await keepList(tx, owner, isForever)
  return { last: last ?? 0 }
}
