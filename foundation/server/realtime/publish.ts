import type { HelperRole } from '#foundation/capability.ts'
import { gathered, type Tx } from '#foundation/server/database/transaction.ts'
import type { LiveEvent } from './live-event.ts'
import { insertEvents, STAFF } from './queries.ts'

/** The helpers who also receive an event: those whose grant has one of these roles and, if `host_id` is set, covers that server. */
export type Audience = { roles: readonly HelperRole[]; host_id?: string | null }

/**
 * Publishes an event to one person, on all their devices, and to the helpers in `audience`. The event is written right before the commit of
 * the caller's transaction, together with all its other events, so that the row of the topic is locked for the commit alone. Never call it in
 * a transaction that moves money: NOTIFY makes commits take turns, database-wide.
 */
export async function publish(tx: Tx, user_id: string, event: LiveEvent, audience?: Audience): Promise<void> {
  gathered(tx, 'events', { topic: user_id, event, hidden_from: null, audience }, insertEvents)
}

/** Publishes an event to all members of staff, as one row however many they are. The person `hidden_from` never gets it. */
export async function publishToStaff(
  tx: Tx,
  event: LiveEvent,
  { hidden_from = null }: { hidden_from?: string | null } = {},
): Promise<void> {
  gathered(tx, 'events', { topic: STAFF, event, hidden_from }, insertEvents)
}
