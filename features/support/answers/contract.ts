import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { calendarDay, opaqueText, text, translated } from '#foundation/fields.ts'
import { count, day, named } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { priorities } from '#features/support/tickets/rules.ts'
import { deskPermission, priority } from '#features/support/tickets/shapes.ts'
import { isOpen, LONGEST, MOST_HOLIDAYS, WEEKDAYS } from './rules.ts'

/** The expected answer: the calendar and the targets, which staff edit. */

export const editTimesPermission = permission('answers.edit', ['admin'])

const clock = z.string().check(z.regex(/^(?:[01]\d|2[0-4]):[0-5]\d$/, 'invalid'))
const hours = z
  .array(z.nullable(z.strictObject({ from: clock, to: clock }).check(z.refine(isOpen, { error: 'invalid' }))))
  .check(z.length(WEEKDAYS))

const minutes = z.nullable(z.int().check(z.minimum(1), z.maximum(LONGEST)))
const ofPriority = { priority, first_minutes: minutes, next_minutes: minutes }

/** The targets of one edition, or of all others. */
const targets = z.strictObject({
  /** Null for tickets of everybody whose edition has no targets of its own. */
  edition: z.nullable(z.string()),
  /** Minutes of open time; null promises nothing. */
  items: z.array(
    z.strictObject({
      priority: z.enum(priorities),
      first_minutes: z.nullable(count()),
      next_minutes: z.nullable(count()),
    }),
  ),
})
named('AnswerTargets', targets)

const answerTimes = z.strictObject({
  /** The time zone of the hours. */
  zone: z.string(),
  /** From Monday on; null where the desk is closed. With no open hours nothing is promised. */
  hours: z.array(z.nullable(z.strictObject({ from: z.string(), to: z.string() }))),
  /** The days on which the desk is closed. */
  holidays: z.array(z.strictObject({ day: day(), name: z.string() })),
  targets: z.array(targets),
  editions: z.array(z.strictObject({ slug: z.string(), name: translated() })),
  /** True if the caller may change these. */
  may_change: z.boolean(),
  version,
})
named('AnswerTimes', answerTimes)
export type AnswerTimes = z.infer<typeof answerTimes>

export const readAnswerTimes = route({
  id: 'readAnswerTimes',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/answer-times/',
  access: staff(deskPermission),
  summary: 'When answers are expected: the calendar and the targets',
  replies: { 200: answerTimes },
})

export const changeAnswerCalendar = route({
  id: 'changeAnswerCalendar',
  tag: 'Staff tickets',
  method: 'PATCH',
  path: '/api/staff/answer-times/',
  access: staff(editTimesPermission, 'none'),
  summary: 'Change the hours in which the desk answers',
  description:
    'Change the time zone, the hours of each day of the week (from Monday on, null where closed) or the holidays. The expected answers of all waiting tickets are computed anew',
  body: z.strictObject({
    zone: z.optional(opaqueText(64)),
    hours: z.optional(hours),
    holidays: z.optional(
      z
        .array(z.strictObject({ day: calendarDay, name: text(100) }))
        .check(z.maxLength(MOST_HOLIDAYS, 'too_long')),
    ),
    version,
  }),
  replies: { 200: answerTimes, 409: changedReply(answerTimes) },
  errors: { 400: ['unknown_time_zone'], 409: ['changed'] },
})

export const changeAnswerTargets = route({
  id: 'changeAnswerTargets',
  tag: 'Staff tickets',
  method: 'PUT',
  path: '/api/staff/answer-times/targets/',
  access: staff(editTimesPermission, 'none'),
  summary: 'Change within how much open time an answer is expected',
  description:
    'Change the targets of an edition, or without one those of all others: minutes of open time by priority. No items take the targets of an edition away, so that it counts with the others',
  body: z.strictObject({
    edition: z.nullable(opaqueText(64)),
    items: z.array(z.strictObject(ofPriority)).check(z.maxLength(priorities.length)),
    version,
  }),
  replies: { 200: answerTimes, 409: changedReply(answerTimes) },
  errors: { 400: ['unknown_edition', 'unknown_priority'], 409: ['changed'] },
})
