import type pg from 'pg'
import { allPlans, lacksPlan } from '#features/licences/server/licences.ts'
import { NO_PLAN } from '#app/server/no-plan.ts'
import type { Config } from '#foundation/server/config.ts'
import { databaseOn } from '#foundation/server/database/with-connection.ts'
import { Warning } from './warning.ts'

/** Warns where nothing is for sale: customers could pay, and buy nothing. */
export async function examinePlans(client: pg.Client, config: Config): Promise<string> {
  const db = databaseOn(client)
  if (await lacksPlan(db, config)) throw new Warning(NO_PLAN)
  const sold = (await allPlans(db)).filter((plan) => plan.is_sold).length
  return sold === 1 ? 'one is for sale' : `${sold} are for sale`
}
