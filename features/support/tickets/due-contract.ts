import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { count, named, time } from '#foundation/printed.ts'
import { deskPermission, priority, publicId, seeTickets, ticketParams } from './shapes.ts'

/** The answer that customers wait for, as they are told of it. Apart from contract.ts, which the frame of all pages loads. */

const expected = z.strictObject({
  /** The time by which an answer is expected; null where none is promised. */
  due_at: z.nullable(time()),
  /** The number of tickets that are to be answered before, counted up to 100. */
  before: count(),
})
named('ExpectedAnswer', expected)
export type ExpectedAnswer = z.infer<typeof expected>

export const expectNewAnswer = route({
  id: 'expectNewAnswer',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/expected/',
  access: { who: 'customer', acts: seeTickets },
  viewable: true,
  summary: 'When a new ticket would be answered',
  query: z.strictObject({ priority: z.optional(priority), host_id: z.optional(publicId) }),
  replies: { 200: expected },
  errors: { 400: ['unknown_priority'] },
})

export const expectAnswer = route({
  id: 'expectAnswer',
  tag: 'Tickets',
  method: 'GET',
  path: '/api/tickets/{chatId}/expected/',
  access: { who: 'customer', acts: seeTickets, orStaff: deskPermission },
  viewable: true,
  summary: 'When a ticket is answered, and how many are before it',
  params: ticketParams,
  replies: { 200: expected },
})
