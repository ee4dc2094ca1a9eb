import type { Tx } from '#foundation/server/database/transaction.ts'
import { insertEvents, type Recipient } from './queries.ts'

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
export async function publish(tx: Tx, user_id: string, event: LiveEvent): Promise<void> {
  await publishToAll(tx, [{ user_id, as_staff: false }], event)
}

/** The same for several, in one statement, which takes their cursors in one order whatever the order of the list. */
export async function publishToAll(
  tx: Tx,
  recipients: readonly Recipient[],
  { type, ...payload }: LiveEvent,
): Promise<void> {
  if (recipients.length > 0) await insertEvents(tx, { recipients, type, payload: JSON.stringify(payload) })
}
