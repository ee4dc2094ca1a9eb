import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, notFound } from '#foundation/server/http/http-error.ts'
import * as queries from './own-host-queries.ts'
import type { HostRow } from './queries.ts'

/** The customer's host; undefined for another customer's, a deleted and an unknown one alike. */
export const findHost = (db: App['db'], user_id: string, public_id: string): Promise<HostRow | undefined> =>
  queries.readHost(db, { user_id, public_id })

/** The customer's host; 404 for another customer's, a deleted and an unknown one alike (rule 4). */
export async function hostOf(db: App['db'], user_id: string, public_id: string): Promise<HostRow> {
  const row = await findHost(db, user_id, public_id)
  if (!row) throw notFound()
  return row
}

/**
 * The customer's host, locked until the transaction ends. A transaction with further locks takes this one
 * first (rule 9).
 */
export async function lockHost(tx: Tx, user_id: string, public_id: string): Promise<HostRow> {
  const row = await queries.lockHost(tx, user_id, public_id)
  if (!row) throw notFound()
  return row
}

/** Throws 400 `name_mismatch` if the name that a person typed to confirm is another one. All names are composed to NFC (foundation/fields.ts). */
export function assertConfirmed(host: Pick<HostRow, 'name'>, typed: string): void {
  if (typed !== host.name) throw badRequest('name_mismatch', 'name')
}
