import type { App } from '#foundation/server/app.ts'

/**
 * Yields the values of `read`, all from one moment of the database, so that sums and rows of an exported file agree. A connection is held
 * until the caller has taken all values.
 */
export async function* inSnapshot<T>(
  { db }: Pick<App, 'db'>,
  read: (db: App['db']) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const tx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    yield* read(tx)
  } finally {
    await tx.rollback().execute()
  }
}
