import type pg from 'pg'
import { allPlans } from '#features/licences/server/licences.ts'
import { NO_PLAN } from '#app/server/no-plan.ts'
import type { Config } from '#foundation/server/config.ts'
import { databaseOn } from '#foundation/server/database/with-connection.ts'
import { Warning } from './warning.ts'

/** Warns where nothing is for sale: customers could pay, and buy nothing. */
export async function examinePlans(client: pg.Client, { production }: Config): Promise<string> {
  const sold = (await allPlans(databaseOn(client))).filter((plan) => plan.is_sold).length
  if (sold === 0 && production) throw new Warning(NO_PLAN)
  return sold === 1 ? 'one is for sale' : `${sold} are for sale`
}
