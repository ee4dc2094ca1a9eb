import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { calendarDay, requiredText } from '#foundation/fields.ts'
import { day, named } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { changedReply } from '#foundation/versions.ts'
import { deskPermission } from '#features/support/tickets/shapes.ts'
import { lengths } from './rules.ts'

/** The absence of a member of staff, at whose name colleagues read it where tickets are assigned. */

const absence = z.strictObject({
  /** The last day of the absence, in the time zone of the installation. */
  until: day(),
  /** A word for colleagues; may be empty. */
  note: z.string(),
})
named('Absence', absence)
export type Absence = z.infer<typeof absence>

/** Null for a colleague who is there. */
export const away = z.nullable(absence)

export const setAbsence = route({
  id: 'setAbsence',
  tag: 'Staff tickets',
  method: 'PUT',
  path: '/api/staff/absence/',
  access: staff(deskPermission, 'none'),
  summary: 'Say until which day you are away',
  description:
    'Say until which day you are away, that day included, by the time zone of the installation; colleagues read it at your name. Tickets stay as they are',
  body: z.strictObject({
    until: calendarDay,
    note: z.optional(requiredText(lengths.absence)),
    /** The last day that the caller saw, null for none. If it is another by now, nothing changes, and the 409 names the present absence. */
    from: z.nullable(calendarDay),
  }),
  replies: { 200: absence, 409: changedReply(away) },
  errors: { 400: ['past_time'], 409: ['changed'] },
})

export const endAbsence = route({
  id: 'endAbsence',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/absence/',
  access: staff(deskPermission, 'none'),
  summary: 'Say that you are there again',
  replies: { 204: null },
})

/** The live event that somebody is away, or there again. */
export const ABSENCES = liveEvent('absences')
