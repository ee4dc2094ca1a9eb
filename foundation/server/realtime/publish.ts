import type { Tx } from '#foundation/server/database/transaction.ts'
import { insertEvent } from './queries.ts'

/**
 * News for one customer, seen by all tabs that are open: a type (`session.ended`, `profile.changed`) and a few ids or
 * words. Whoever reads it asks for the rest by the ordinary calls, where rights are checked.
 */
export type LiveEvent = { type: string; [name: string]: string | number | boolean | null }

/**
 * Writes an event into the customer's log in the caller's transaction and wakes the streams when that commits.
 * Holds the row of the customer's cursor until then, so publish late in a transaction. Never call it in a
 * transaction that moves money: NOTIFY makes commits take turns, database-wide.
 */
export async function publish(tx: Tx, user_id: string, { type, ...payload }: LiveEvent): Promise<void> {
  await insertEvent(tx, { user_id, type, payload: JSON.stringify(payload) })
}
