import { providerNames } from '#features/finance/rules.ts'
import { createDb, createPool } from '#foundation/server/database/pool.ts'
import type { App } from '#foundation/server/app.ts'

/**
 * Does the work as the owner of the tables, whose rights it takes to give the example people a past. No mail is sent, and all ways to
 * pay are on, also if the operator does not offer them. Terms and withdrawals are off: the orders of the past have not agreed to what
 * the operator asks for today, and would be refused.
 */
export async function asDatabaseOwner<Told>(app: App, work: (app: App) => Promise<Told>): Promise<Told> {
  const pool = createPool({ url: app.ownerUrl, max: 1, acquire_timeout_ms: 3_000 })
  const operator = { ...app.config.operator, termsVersion: undefined, withdrawalUrl: undefined }
  const config = { ...app.config, operator, smtpUrl: undefined, payments: [...providerNames] }
  const db = createDb(pool, app.ownerUrl)
  try {
    return await work({ ...app, config, db, pool })
  } finally {
    await db.destroy()
  }
}
