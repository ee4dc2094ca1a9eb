import type { Face } from '#features/support/ratings/rules.ts'
import type { Priority, Topic } from '#features/support/tickets/rules.ts'
import type { Customer, Lines } from './ticket-events.ts'
import type { SeededTicket, TicketSeedEvent } from './ticket-history.ts'

/** A ticket of the demo. */
export type Story = {
  who: Customer
  /** A name by which other parts of the demo find the ticket. */
  key?: string
  subject: string
  topic: Topic
  priority: Priority
  /** The name of the server that the ticket is about, if the customer has this server. */
  host?: string
  unseen?: { customer?: number; staff?: number }
  rated?: { face: Face; word: string; ago: string }
  lines: (lines: Lines) => TicketSeedEvent[]
}

/** Finds a ticket by its key. */
export type Seeded = (key: string) => SeededTicket
