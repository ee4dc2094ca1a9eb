import { sql } from 'kysely'
import { errorCode } from '#foundation/server/error-code.ts'
import { withoutOrder } from './lock-order.ts'
import type { Tx } from './transaction.ts'
import { TryAgain } from './try-again.ts'

const LONGEST_WAIT = '20ms'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Does the part of a transaction that locks rows in another order than other transactions do (rule 9), as the deletion of an account, which
 * has locked the account first. Each lock is waited for some milliseconds at most, far less than PostgreSQL takes for a deadlock; if one is
 * not free, the transaction gives up all of its locks and runs again from the start. Another transaction that has waited for the account a
 * second, just then, is undone by PostgreSQL in its place, as on a machine that does not keep up; it runs again, too.
 */
export async function hardlyWaiting<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ before: string }>`select current_setting('lock_timeout') as before`.execute(tx)
  await setWait(tx, LONGEST_WAIT)
  const done = await withoutOrder(tx, work).catch((error: unknown) => {
    throw errorCode(error) === LOCK_NOT_AVAILABLE ? new TryAgain() : error
  })
  await setWait(tx, rows[0]?.before ?? '')
  return done
}

async function setWait(tx: Tx, wait: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${wait}, true)`.execute(tx)
}
