import type { App } from '#foundation/server/app.ts'

/**
 * The values that `read` yields, all of them from one moment, whatever is written meanwhile: sums and rows of a file agree. A
 * connection is held while the reader reads.
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
