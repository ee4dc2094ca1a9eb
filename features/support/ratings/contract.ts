import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { multilineText } from '#foundation/fields.ts'
import { bigCount, count, day, digitsOr, named, time, uuidText } from '#foundation/printed.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { staff } from '#foundation/roles.ts'
import { topics } from '#features/support/tickets/rules.ts'
import {
  deskPermission,
  person,
  seeTickets,
  ticketParams as params,
  useTickets,
} from '#features/support/tickets/shapes.ts'
import { faces, LONGEST_WORD } from './rules.ts'

/** How customers found the answers, and the reports on support. */

const face = z.enum(faces, { error: 'invalid' })
const rating = z.strictObject({ face: z.enum(faces), word: z.string(), rated_at: time() })
const ticketRating = z.strictObject({
  /** The rating that counts; null for a ticket that nobody has rated. */
  rating: z.nullable(rating),
  /** How many earlier ratings of the ticket it replaces. */
  earlier: count(),
})
named('TicketRating', ticketRating)
export type TicketRating = z.infer<typeof ticketRating>

export const getRating = route({
  id: 'getRating',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/{chatId}/rating/',
  access: { who: 'customer', acts: seeTickets, orStaff: deskPermission },
  viewable: true,
  summary: 'How the answers to a ticket were found',
  params,
  replies: { 200: ticketRating },
})

export const rateTicket = route({
  id: 'rateTicket',
  tag: 'Tickets',
  method: 'POST',
  path: '/api/tickets/{chatId}/rating/',
  access: { who: 'customer', acts: useTickets, whileBlocked: 'allowed' },
  summary: 'Rate the answers to a closed ticket',
  description:
    'Rate the answers to a closed ticket by a face, with a word if there is one. Until the ticket is opened again, a further rating counts instead of the earlier one, which is kept; the same rating again changes nothing',
  limits: ['ticket'],
  params,
  body: z.strictObject({ face, word: z.optional(multilineText(LONGEST_WORD)) }),
  replies: { 200: ticketRating },
  errors: { 409: ['ticket_open'] },
})

const rated = z.strictObject({
  ...rating.shape,
  ticket: z.strictObject({ id: z.string(), number: bigCount(), subject: z.string() }),
  customer: person,
})
named('Rating', rated)
export type Rating = z.infer<typeof rated>

export const listRatings = route({
  id: 'listRatings',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/ratings/',
  access: staff(deskPermission),
  fromReplica: true,
  summary: 'The ratings that count, the latest first',
  query: z.strictObject({ ...pageQuery, customer: z.optional(z.uuid()), face: z.optional(face) }),
  replies: { 200: pageOf(rated) },
})

const sums = {
  opened: count(),
  closed: count(),
  /** The median from the opening of a ticket to its first answer, for those that were answered then. */
  first_answer_s: z.nullable(bigCount()),
  /** The median from the opening of a ticket to its end, for those that were closed then. */
  resolution_s: z.nullable(bigCount()),
  good: count(),
  fair: count(),
  poor: count(),
}
const report = z.strictObject({
  /** Each begins with its Monday, in the time zone of the installation. */
  weeks: z.array(z.strictObject({ week: day(), open_at_end: count(), ...sums })),
  topics: z.array(z.strictObject({ topic: z.enum(topics), ...sums })),
  /** By the present assignee of the ticket; null for tickets of nobody. */
  people: z.array(
    z.strictObject({ person: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })), ...sums }),
  ),
})
named('SupportReport', report)
export type SupportReport = z.infer<typeof report>

export const readSupportReport = route({
  id: 'readSupportReport',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/support-report/',
  access: staff(deskPermission),
  fromReplica: true,
  summary: 'First answer, resolution, backlog and ratings by week',
  description:
    'Tickets of the last `weeks` weeks with the present one, by week, topic and person: opened, closed, first answer, resolution, backlog and ratings. Spam is left out',
  query: z.strictObject({ weeks: digitsOr(12, /^(?:[1-9]|[1-4]\d|5[0-3])$/, 1, 53) }),
  replies: { 200: report },
})
