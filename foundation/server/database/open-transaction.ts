import { AsyncLocalStorage } from 'node:async_hooks'

// Marked as over at its end: what the work has started may outlive it, a timer for instance.
const running = new AsyncLocalStorage<{ db: object; open: boolean }>()

/** Runs the work of a transaction of `db`, so that `assertOutside` knows. */
export async function inside<T>(db: object, work: () => Promise<T>): Promise<T> {
  const transaction = { db, open: true }
  try {
    return await running.run(transaction, work)
  } finally {
    transaction.open = false
  }
}

/**
 * Throws where the work of a transaction asks for a second connection: it would not see what it has written itself, and of
 * as many requests as the pool has connections each would wait for one that the others hold.
 */
export function assertOutside(db: object): void {
  const transaction = running.getStore()
  if (transaction?.open && transaction.db === db)
    throw new Error('A statement outside of the open transaction: give it the transaction instead of app.db.')
}
