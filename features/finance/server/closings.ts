import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { insertClosing, monthToClose } from './closings-queries.ts'

/** The hours from the end of a month to its closing: after them no transaction that began in the month is still running. */
const WAIT_H = 48

/**
 * Writes down what the ledger held at the end of each month that is over (decision 081), one month a transaction. Runs at the
 * same time take turns. Returns how many months were closed.
 */
export async function closeMonths(app: App): Promise<number> {
  for (let closed = 0; ; closed += 1) {
    const isClosed = await transaction(app, 'system', async (tx) => {
      await lockByName(tx, 'ledger_closing')
      const next = await monthToClose(tx, { time_zone: app.config.timeZone, wait_h: WAIT_H })
      if (next) await insertClosing(tx, next)
      return next !== undefined
    })
    if (!isClosed) return closed
  }
}
