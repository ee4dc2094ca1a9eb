import { providerNames } from '#features/finance/rules.ts'
import { createDb, createPool } from '#foundation/server/database/pool.ts'
import type { App } from '#foundation/server/app.ts'

/**
 * Works as the owner of the tables, whose right it takes to give the example people a past. Nothing of it leaves the
 * database: queued mails are kept, and all ways to pay were open, whichever are offered now. Nobody was asked for the terms or about a
 * withdrawal: what the operator asks for today would refuse their orders.
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
