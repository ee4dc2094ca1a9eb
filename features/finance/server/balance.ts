import type { App } from '#foundation/server/app.ts'
import * as queries from './ledger-queries.ts'

/** Returns the balance of a customer, in minor units; 0n before the first transaction. */
export async function balanceOf(
  { config }: Pick<App, 'config'>,
  db: App['db'],
  user_id: string,
): Promise<bigint> {
  return (await queries.moneyOf(db, { user_id, currency: config.currency })).balance
}
