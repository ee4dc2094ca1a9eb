import type { App } from '#foundation/server/app.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import type { State } from '#features/customers/rules.ts'
import * as queries from './queries.ts'

export const stateOf = ({ access, is_proven }: queries.CustomerRow): State =>
  access === 'open' ? (is_proven ? 'active' : 'unconfirmed') : access

/** Returns the customer that a call names; throws 404 for an unknown or a deleted account. */
export async function customerOf(db: App['db'], user_id: string): Promise<queries.CustomerRow> {
  const row = await queries.findCustomer(db, user_id)
  if (!row) throw notFound()
  return row
}
