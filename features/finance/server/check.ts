import { withConnection } from '#foundation/server/database/with-connection.ts'
import { beginCheck, countLedger, damagesIn, type Damage } from './check-queries.ts'

/**
 * Recomputes the whole ledger from its rows, as they are at this moment, and reports every mismatch. On a
 * connection of its own, without the time limits of the application's: a long history takes its time.
 */
export async function checkLedger(
  ownerUrl: string,
): Promise<{ transactions: string; unsplit: string; damages: Damage[] }> {
  return withConnection(ownerUrl, async (client) => {
    await beginCheck(client)
    return { ...(await countLedger(client)), damages: await damagesIn(client) }
  })
}
