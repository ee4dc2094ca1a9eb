import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** A kind of rows that are sealed by SECRET_KEY. Features export theirs from server/sealed.ts. */
export type Sealed = {
  /** The name in the plural, as the command line prints it. */
  what: string
  /** The rows that another key than this one sealed. */
  count(db: App['db'], boxId: string): Promise<number>
  /** Seals up to `limit` of them anew; returns how many. They are locked, so that no change of theirs is lost. */
  reseal(app: App, tx: Tx, limit: number): Promise<number>
}
