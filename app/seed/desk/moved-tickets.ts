import { insertMerge, keptOf } from '#features/support/tickets/server/merge-queries.ts'
import { planClosing } from '#features/support/tickets/server/plan-closing.ts'
import { insertTicket, lockTicketById, updateTicket } from '#features/support/tickets/server/queries.ts'
import { moveMessages, setTimes, timesOf } from '#features/support/tickets/server/split-queries.ts'
import { must } from '#foundation/must.ts'
import { randomId } from '#foundation/server/random-id.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { appendEvent, backdateTicket } from './desk-queries.ts'
import { timeBefore } from '../ticket-events.ts'

type Of = { id: bigint; by: string; ago: string }

/** Merges a ticket into another one of its customer, as staff do; it can still be undone. */
export async function merge(tx: Tx, { id, into: into_id, by, ago }: Of & { into: bigint }): Promise<void> {
  const at = timeBefore(new Date(), ago)
  const [ticket, into] = [must(await lockTicketById(tx, id)), must(await lockTicketById(tx, into_id))]
  await insertMerge(tx, { ticket, into, into_after: keptOf(into) })
  await updateTicket(tx, id, { status: 'closed' })
  const namesOf = (row: typeof ticket) => ({ id: row.public_id, number: String(row.number) })
  await appendEvent(tx, id, { author_id: by, at, event: { code: 'merged', params: namesOf(into) } })
  await appendEvent(tx, into_id, {
    author_id: by,
    at,
    event: { code: 'merged_from', params: namesOf(ticket) },
  })
}

/** Splits the rest of a conversation off, from the message `from_seq` on, as staff do. Returns the new ticket. */
export async function splitOff(
  tx: Tx,
  { id, from_seq, subject, by, ago }: Of & { from_seq: number; subject: string },
): Promise<bigint> {
  const at = timeBefore(new Date(), ago)
  const ticket = must(await lockTicketById(tx, id))
  const { user_id, host_id, host_public_id, topic, priority } = ticket
  const about = { user_id, host_id, host_public_id, topic, priority, subject, previous_id: null }
  const made = must(await insertTicket(tx, { ...about, public_id: randomId(), client_id: null }))
  await moveMessages(tx, ticket, from_seq, made)
  const times = await timesOf(tx, made.id)
  await updateTicket(tx, made.id, { status: 'pending', assignee_id: by })
  await setTimes(tx, made.id, times)
  await backdateTicket(tx, made.id, at)
  planClosing(tx, made.id)
  const namesOf = (row: typeof ticket) => ({ id: row.public_id, number: String(row.number) })
  await appendEvent(tx, id, { author_id: by, at, event: { code: 'split_off', params: namesOf(made) } })
  await appendEvent(tx, made.id, {
    author_id: by,
    at,
    event: { code: 'split_from', params: namesOf(ticket) },
  })
  return made.id
}
