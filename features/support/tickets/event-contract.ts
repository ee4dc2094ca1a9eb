import * as z from 'zod/mini'
import type { HelperRole } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { message, seeTickets, ticket } from './shapes.ts'
import { rolesFor, type Topic } from './rules.ts'

/** Account events of tickets. Notes of staff among themselves are in none of them. */

/** A ticket without what differs from reader to reader, and what other events tell. */
const state = z.pick(ticket, {
  id: true,
  number: true,
  subject: true,
  topic: true,
  priority: true,
  status: true,
  host_id: true,
  created_at: true,
  last_message_at: true,
  waiting_since: true,
  first_reply_at: true,
  closed_at: true,
  last_seq: true,
})
export type TicketNow = z.infer<typeof state>

/** A helper reads the tickets of the role's topics. */
const isOpenTo = (topic: Topic, role: HelperRole): boolean => rolesFor(topic).includes(role)

const ofTicket = (type: `ticket.${string}`, summary: string) =>
  published(type, {
    summary,
    data: state,
    opens: seeTickets,
    reduced: (data, role) => (isOpenTo(data.topic, role) ? data : undefined),
  })

export const ticketCreated = ofTicket('ticket.created', 'A ticket was opened.')
export const ticketStatusChanged = ofTicket('ticket.status_changed', 'The status of a ticket changed.')
export const ticketClosed = ofTicket('ticket.closed', 'A ticket was closed.')
export const messageCreated = published('ticket.message_created', {
  summary: 'A comment was written in a ticket, by whomever.',
  data: z.strictObject({
    ticket: z.pick(ticket, { id: true, number: true, subject: true, topic: true }),
    message,
  }),
  opens: seeTickets,
  reduced: (data, role) => (isOpenTo(data.ticket.topic, role) ? data : undefined),
})
