import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** A kind of rows that are sealed by SECRET_KEY. Features export theirs as `sealed`. */
export type Sealed = {
  /** The name in the plural, as the command line prints it. */
  what: string
  /** Seals up to `limit` of the rows anew that another key sealed, and returns how many. Locks the rows, so that no concurrent change is lost. */
  reseal(app: App, tx: Tx, limit: number): Promise<number>
}
