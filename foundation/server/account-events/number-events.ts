import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { hasWaiting, numberWaiting } from './number-queries.ts'

/**
 * Gives numbers to the events of the operator's list that acts have left: a reader calls it before it looks at the list. An act does not number
 * them itself, so that acts of different customers do not take turns at one row until their commits.
 */
export async function numberOperatorEvents(app: Pick<App, 'db' | 'log'>): Promise<void> {
  while (await hasWaiting(app.db))
    if ((await transaction({ db: app.db, log: app.log }, 'system', numberWaiting)) === 0) return
}
