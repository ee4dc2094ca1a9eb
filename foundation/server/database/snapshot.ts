import type { App } from '#foundation/server/app.ts'

/**
 * What `read` yields, all of it from one moment, whatever is written meanwhile: sums and rows of a file agree. It holds a
 * connection while its reader reads.
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
