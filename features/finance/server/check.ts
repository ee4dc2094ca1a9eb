import { withConnection } from '#foundation/server/database/with-connection.ts'
import { beginCheck, countLedger, damagesIn, type Damage } from './check-queries.ts'

/**
 * Recomputes the whole ledger from its rows, as they are at this moment, and reports every mismatch. The check has a
 * connection of its own without the application's time limits, because it takes long for a long history.
 */
export async function checkLedger(ownerUrl: string): Promise<{ transactions: string; damages: Damage[] }> {
  return withConnection(ownerUrl, async (client) => {
    await beginCheck(client)
    return { transactions: await countLedger(client), damages: await damagesIn(client) }
  })
}
