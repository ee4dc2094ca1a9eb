/** The states of a ticket and the possible actions, used by the pages' buttons and by the server alike (rows K-01, K-02). */

import type { HelperRole } from '#foundation/capability.ts'
import { plainText } from '#foundation/markup-plain.ts'
export { tagLimits, tagOf } from './tags.ts'
import { topics, type Status, type Topic } from './values.ts'

export { customerTabs, lengths, priorities, staffTabs, statuses, topics } from './values.ts'
export type { Priority, Status, Topic } from './values.ts'

/** The roles of helpers to whom tickets of this topic are open. */
export const rolesFor = (topic: Topic): readonly HelperRole[] =>
  topic.startsWith('finances') ? ['billing', 'full', 'read'] : ['technical', 'full', 'read']

/** The topics of the tickets that are open to a helper with this role. */
export const topicsFor = (role: HelperRole): Topic[] =>
  topics.filter((topic) => rolesFor(topic).includes(role))

/** Within this time after closing, a customer's reply opens the ticket again; later the customer needs a new ticket. */
export const REOPEN_DAYS = 30
/** A ticket that has waited for the customer for this number of days is closed; the warning goes out a day before. */
export const AUTO_CLOSE_DAYS = 7
export const WARNING_DAYS = 6
/** A merge can be undone for so many days. */
export const UNDO_DAYS = 7

/** The parts of a ticket that the rules use. Times are milliseconds since 1970. */
export type TicketState = {
  status: Status
  assignee_id: string | null
  closed_at: number | null
  /** True for a ticket that was merged into another one, which goes on instead. */
  is_merged?: boolean
}

/** The role of the actor: the ticket's own customer, or staff. Staff are customers in tickets of their own. */
export type Party = { role: 'customer' } | { role: 'staff'; user_id: string }

const DAY_MS = 86_400_000

/** The possible actions; `now` is in milliseconds since 1970. */
export const ticketCan = {
  reply: (ticket: TicketState, { role }: Party, now: number = Date.now()): boolean =>
    ticket.status !== 'closed' || (role === 'customer' && !ticket.is_merged && reopens(ticket, now)),
  note: (_ticket: TicketState, { role }: Party): boolean => role === 'staff',
  take: ({ status, assignee_id }: TicketState, { role }: Party): boolean =>
    role === 'staff' && status !== 'closed' && assignee_id === null,
  handOver: ({ status }: TicketState, { role }: Party): boolean => role === 'staff' && status !== 'closed',
  unassign: ({ status, assignee_id }: TicketState, { role }: Party): boolean =>
    role === 'staff' && status !== 'closed' && assignee_id !== null,
  change: (_ticket: TicketState, { role }: Party): boolean => role === 'staff',
  close: ({ status }: TicketState): boolean => status !== 'closed',
  reopen: (ticket: TicketState, { role }: Party, now: number = Date.now()): boolean =>
    ticket.status === 'closed' && !ticket.is_merged && (role === 'staff' || reopens(ticket, now)),
}

const reopens = ({ closed_at }: TicketState, now: number): boolean =>
  closed_at !== null && now - closed_at < REOPEN_DAYS * DAY_MS

type After = Pick<TicketState, 'status' | 'assignee_id'>

/** The state after a reply: the other party's turn. A staff reply to an unassigned ticket assigns it to the author. */
export function afterReply(ticket: TicketState, party: Party): After {
  const { status, assignee_id } = ticket
  if (party.role === 'staff') return { status: 'pending', assignee_id: assignee_id ?? party.user_id }
  if (status === 'opened' || status === 'in-progress') return { status, assignee_id }
  return assignee_id === null ? { status: 'opened', assignee_id } : { status: 'in-progress', assignee_id }
}

/** A reopened ticket goes back to its last assignee. */
export const afterReopening = ({ assignee_id }: TicketState): After =>
  assignee_id === null ? { status: 'opened', assignee_id } : { status: 'in-progress', assignee_id }

/** With a new assignee a ticket that waited for the customer keeps waiting. */
export const afterAssigning = ({ status }: TicketState, assignee_id: string): After => ({
  status: status === 'pending' ? 'pending' : 'in-progress',
  assignee_id,
})

export const afterUnassigning = (): After => ({ status: 'opened', assignee_id: null })

type Concerning = Pick<TicketState, 'status' | 'assignee_id'>

/**
 * Staff whose counts change with a ticket: all if the ticket enters or leaves the queue of incoming tickets, else
 * the ids of its assignees before and after. `before` is absent for a new ticket.
 */
export function concernedBy(before: Concerning | undefined, after: Concerning): 'all' | string[] {
  if ((before?.status === 'opened') !== (after.status === 'opened')) return 'all'
  const people = [before?.assignee_id, after.assignee_id].filter((id) => typeof id === 'string')
  return [...new Set(people)]
}

/**
 * Returns a message on one line, as a list shows it, cut to `length` letters and without the marks that format something on its page.
 */
export function oneLine(text: string, length = 160): string {
  // The beginning is enough, and a long list of long messages would take a while.
  const begin = text.slice(0, length * 20).replace(/\p{Cs}$/u, '')
  const plain = plainText(begin, { code: (code) => code, item: () => '' })
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const letters = [...plain]
  return letters.length > length
    ? `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : plain
}

/** The time for which a file without a message is kept. */
export const UNUSED_HOURS = 24

/** True if somebody may remove the content of a message: staff of any, others of their own. */
export const mayRedact = (
  { author_id }: { author_id: string | null },
  { role }: Party,
  person_id: string,
): boolean => role === 'staff' || author_id === person_id

/** True for a ticket whose answer was expected before `now`, in milliseconds since 1970. */
export const isLate = ({ due_at }: { due_at: string | null }, now: number): boolean =>
  due_at !== null && Date.parse(due_at) < now
