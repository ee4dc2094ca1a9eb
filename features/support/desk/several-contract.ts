import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { named, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { actErrors, acts, deskPermission, publicId } from '#features/support/tickets/shapes.ts'
import { MOST_TICKETS } from './rules.ts'

/** Acts on several tickets at once, and their way back. */

export const lineErrors = [
  'not_found',
  'own_ticket',
  'ticket_closed',
  'unknown_staff',
  'too_many_tags',
  'past_time',
  'changed_since',
  'unavailable',
] as const
export type LineError = (typeof lineErrors)[number]

const results = z.strictObject({
  /** The act, by which its author may undo it for ten minutes. */
  act_id: uuidText(),
  results: z.array(
    z.strictObject({
      /** The ticket. */
      id: z.string(),
      done: z.boolean(),
      /** The code of the refusal, for a ticket on which it could not be done. */
      error: z.nullable(z.enum(lineErrors)),
    }),
  ),
})
named('SeveralActed', results)

export const actOnTickets = route({
  id: 'actOnTickets',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/ticket-acts/',
  access: staff(deskPermission, 'any'),
  summary: 'Do acts on several tickets at once',
  description:
    'Do acts on up to 100 tickets, each by itself: a line for each tells whether it was done, and why not. `DELETE /api/staff/ticket-acts/{actId}/` undoes them within ten minutes',
  body: z.strictObject({
    ids: z.array(publicId).check(z.minLength(1, 'required'), z.maxLength(MOST_TICKETS, 'too_many_tickets')),
    acts,
  }),
  replies: { 200: results },
  errors: { 400: ['too_many_tickets', ...actErrors[400]] },
})

export const undoActOnTickets = route({
  id: 'undoActOnTickets',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/ticket-acts/{actId}/',
  access: staff(deskPermission, 'any'),
  summary: 'Undo your acts on several tickets',
  description:
    'Undo what you did to several tickets within the last ten minutes; a ticket that was changed since stays as it is (`changed_since`)',
  params: z.strictObject({ actId: z.uuid() }),
  replies: { 200: results },
})
