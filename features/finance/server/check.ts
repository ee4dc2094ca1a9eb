import pg from 'pg'
import { toPrimary } from '#foundation/server/database/primary.ts'
import { beginCheck, countTransactions, damagesIn, type Damage } from './check-queries.ts'

/**
 * Recomputes the whole ledger from its rows, as they are at this moment, and reports every mismatch. On a
 * connection of its own, without the time limits of the application's: a long history takes its time.
 */
export async function checkLedger(ownerUrl: string): Promise<{ transactions: string; damages: Damage[] }> {
  const client = new pg.Client({ connectionString: toPrimary(ownerUrl) })
  await client.connect()
  try {
    await beginCheck(client)
    return { transactions: await countTransactions(client), damages: await damagesIn(client) }
  } finally {
    await client.end()
  }
}
