import type { Tx } from '#foundation/server/database/transaction.ts'
import { publishToAll, type LiveEvent } from '#foundation/server/realtime/publish.ts'
import { staffIds } from '#foundation/server/session/session.ts'
import type { TicketRow } from './queries.ts'

type About = Pick<TicketRow, 'user_id' | 'public_id'>

/**
 * Tells everybody who may open the ticket. The events hold ids only: what was said is read by the ordinary calls, where
 * rights are checked.
 */
export async function publishToTicketReaders(
  tx: Tx,
  ticket: About,
  event: LiveEvent,
  { except }: { except?: string } = {},
): Promise<void> {
  const readers = new Set([...(await staffIds(tx)), ticket.user_id])
  await publishTo(tx, readers, ticket, event, except)
}

/** The same for staff alone: a note leaves no trace with the customer, not even an event. */
export async function publishToStaff(
  tx: Tx,
  ticket: About,
  event: LiveEvent,
  { except }: { except?: string } = {},
): Promise<void> {
  const readers = new Set(await staffIds(tx))
  readers.delete(ticket.user_id)
  await publishTo(tx, readers, ticket, event, except)
}

async function publishTo(
  tx: Tx,
  readers: Set<string>,
  ticket: About,
  event: LiveEvent,
  except?: string,
): Promise<void> {
  const recipients = [...readers]
    .filter((user_id) => user_id !== except)
    .map((user_id) => ({ user_id, as_staff: user_id !== ticket.user_id }))
  await publishToAll(tx, recipients, { ...event, chat_id: ticket.public_id })
}
