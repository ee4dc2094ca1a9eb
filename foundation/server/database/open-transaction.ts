import { AsyncLocalStorage } from 'node:async_hooks'

// `open` turns false at the end of the transaction, because a timer that the work has started may outlive it.
const running = new AsyncLocalStorage<{ db: object; open: boolean }>()

/** Runs the work of a transaction of `db`, so that `assertOutside` can recognise it. */
export async function inside<T>(db: object, work: () => Promise<T>): Promise<T> {
  const transaction = { db, open: true }
  try {
    return await running.run(transaction, work)
  } finally {
    transaction.open = false
  }
}

/**
 * Throws where the work of a transaction asks for a second connection. The second one would not see the rows that the
 * transaction has written. As many such requests as the pool has connections would all wait for each other's connection.
 */
export function assertOutside(db: object): void {
  const transaction = running.getStore()
  if (transaction?.open && transaction.db === db)
    throw new Error('A statement outside of the open transaction: give it the transaction instead of app.db.')
}
