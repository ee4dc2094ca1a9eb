import * as z from 'zod/mini'
import { moment, text } from '#foundation/fields.ts'
import { bigCount, count, named, time, uuidText } from '#foundation/printed.ts'
import { capability, helperRoles } from '#foundation/capability.ts'
import { permission } from '#foundation/roles.ts'
import { tagLimits, tagOf } from './tags.ts'
import { lengths, priorities, statuses, topics } from './values.ts'

/** The permission to read and answer the tickets of all customers, with all related actions. */
export const deskPermission = permission('tickets.desk', ['support', 'billing', 'admin'])

/** The capabilities of helpers: to read and to use tickets of the topics and servers that their grant is about (`topicsFor`). */
export const seeTickets = capability('tickets.see', ['technical', 'billing', 'full', 'read'])
export const useTickets = capability('tickets', ['technical', 'billing', 'full'])

/** A person by id and name; the name is empty if the reader may not know it, or there is none. */
export const person = z.strictObject({ id: uuidText(), name: z.string() })
named('Person', person)

export const ticket = z.strictObject({
  /** The `chatId` in the addresses of calls and pages. */
  id: z.string(),
  /** The ticket number people use: #1042. */
  number: bigCount(),
  subject: z.string(),
  topic: z.enum(topics),
  priority: z.enum(priorities),
  status: z.enum(statuses),
  host_id: z.nullable(z.string()),
  /** The present name of the host; null if the ticket is about no host, or if the host is gone. */
  host_name: z.nullable(z.string()),
  /** The latest comment on one line, without Markdown's marks; its text is empty if it has files alone. Null before the first comment. */
  last_message: z.nullable(z.strictObject({ text: z.string(), by_staff: z.boolean() })),
  assignee: z.nullable(person),
  /** Staff only. */
  customer: z.optional(person),
  /** Staff only: true for a ticket that was closed as spam. */
  spam: z.optional(z.boolean()),
  /** Staff only. */
  tags: z.optional(z.array(z.string())),
  /** Staff only: `until` is null for a ticket that sleeps until its customer answers; null for a ticket that is awake. */
  snoozed: z.optional(z.nullable(z.strictObject({ since: time(), until: z.nullable(time()) }))),
  /** The account that the reader helps, and the reader's role there; null for a ticket of the reader's own account. */
  account: z.nullable(z.strictObject({ id: uuidText(), name: z.string(), role: z.enum(helperRoles) })),
  created_at: time(),
  last_message_at: time(),
  /** The time since which it is the staff's turn; null while it is the customer's, or nobody's. */
  waiting_since: z.nullable(time()),
  /** The time by which an answer of staff is expected; null while nobody waits for one, and where none is promised. */
  due_at: z.nullable(time()),
  first_reply_at: z.nullable(time()),
  closed_at: z.nullable(time()),
  /** For a ticket that was merged: the ticket into which, where its customer's answers land from then on, and until when that can be undone. */
  merged_into: z.optional(z.strictObject({ id: z.string(), number: bigCount(), undo_until: time() })),
  /** For a ticket into which others were merged: those, the first one first. */
  merged: z.optional(z.array(z.strictObject({ id: z.string(), number: bigCount() }))),
  /** The earlier ticket that this one continues; the earlier ticket was closed too long ago to be opened again. */
  previous: z.nullable(z.strictObject({ id: z.string(), number: bigCount() })),
  /** The number of messages of others that the reader has not read, counted up to 100. */
  unread: count(),
  last_seq: count(),
})
named('Ticket', ticket)
export type Ticket = z.infer<typeof ticket>

export const attachment = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The media type, found in the bytes. */
  type: z.string(),
  /** In bytes. */
  size: bigCount(),
  /** Width and height of the preview in pixels; null if there is none. */
  preview: z.nullable(z.strictObject({ width: count(), height: count() })),
})
named('Attachment', attachment)
export type Attachment = z.infer<typeof attachment>

export const message = z.strictObject({
  /** Counts from 1 in each ticket without holes. Staff have a count of their own, which includes the notes. */
  seq: count(),
  client_id: uuidText(),
  kind: z.enum(['comment', 'note', 'event']),
  /** Null if the system acted. */
  author: z.nullable(
    z.strictObject({
      id: uuidText(),
      name: z.string(),
      is_staff: z.boolean(),
      /** For staff, if a helper wrote the message: the name of the customer for whom the helper wrote. */
      for: z.optional(z.string()),
    }),
  ),
  text: z.string(),
  /** The event, for lines of kind event: a code and its details. */
  event: z.optional(z.strictObject({ code: z.string(), params: z.record(z.string(), z.string()) })),
  attachments: z.array(attachment),
  /** True if the message came as a mail; absent otherwise. */
  by_mail: z.optional(z.boolean()),
  created_at: time(),
  /** A part that only the other side opens, once; there is none in most messages. It is wiped then, when the ticket closes, or after 30 days. */
  secret: z.optional(
    z.strictObject({
      state: z.enum(['waiting', 'opened', 'wiped']),
      /** The time of the opening or wiping; of one that waits, the time until which it does. */
      at: time(),
    }),
  ),
  /** The text or the files that were removed for good, if any were. `by` is empty if the reader may not know the name. */
  redacted: z.optional(
    z.strictObject({ at: time(), by: z.string(), by_staff: z.boolean(), text: z.boolean(), files: count() }),
  ),
  /** The ticket to which the message went, if it was split off. */
  moved: z.optional(z.strictObject({ id: z.string(), number: bigCount() })),
})
named('Message', message)
export type Message = z.infer<typeof message>

/** The `chatId` of an address, or the id of a file. */
export const publicId = z.string().check(z.regex(/^[\w-]{22}$/))
export const ticketParams = z.strictObject({ chatId: publicId })

/** An id made by the sender: a message that is sent twice with the same id is written once. */
export const clientId = z.uuid({ error: 'invalid' })

export const missingOr =
  (code: string) =>
  ({ input }: { input?: unknown }): string =>
    input === undefined ? 'required' : code
export const topic = z.enum(topics, { error: missingOr('unknown_topic') })
export const priority = z.enum(priorities, { error: missingOr('unknown_priority') })

export const attachmentIds = z.optional(
  z.array(publicId).check(z.maxLength(lengths.attachments, 'too_many_attachments')),
)

/** The acts of staff on a ticket, which are done together or not at all: by a menu, by a macro, on several tickets. */

/** A tag in its normal form; what is longer, and what leaves nothing, is refused. */
export const tag = text(tagLimits.length).check(
  z.overwrite<string>((typed) => tagOf(typed) ?? ''),
  z.refine<string>((given) => given !== '', { error: 'required', abort: true }),
  z.refine<string>((given) => [...given].length <= tagLimits.length, { error: 'max_length' }),
)

const tagList = z.array(tag).check(z.maxLength(tagLimits.each, 'too_many_tags'))
const tags = z.optional(tagList)
/** `me`, `none`, or the id of a colleague. */
const assignee = z.union([z.literal('me'), z.literal('none'), z.uuid()], { error: 'unknown_staff' })
const status = z.enum(['closed', 'open'], { error: 'invalid' })

/** The longest sleep of a ticket, in hours. */
const LONGEST_SNOOZE_H = 8784

/** Until a time, or for some hours from now; with neither until the customer answers, which always ends it. */
const snooze = z
  .strictObject({
    until: z.optional(moment),
    hours: z.optional(
      z.int({ error: 'invalid' }).check(z.minimum(1, 'invalid'), z.maximum(LONGEST_SNOOZE_H, 'invalid')),
    ),
  })
  .check(
    z.refine(({ until, hours }) => until === undefined || hours === undefined, {
      error: 'invalid',
      path: ['until'],
    }),
  )

const fields = {
  priority: z.optional(priority),
  topic: z.optional(topic),
  add_tags: tags,
  remove_tags: tags,
  assignee: z.optional(assignee),
  status: z.optional(status),
  /** Null wakes the ticket. */
  snooze: z.optional(z.nullable(snooze)),
}

export const acts = z.strictObject(fields)
named('TicketActs', acts)
export type Acts = z.infer<typeof acts>

/** The acts of a macro: they come after a reply whenever it is sent, so that a sleep is counted in hours. */
const macroSnooze = z.strictObject({
  hours: z.optional(
    z.int({ error: 'invalid' }).check(z.minimum(1, 'invalid'), z.maximum(LONGEST_SNOOZE_H, 'invalid')),
  ),
})
export const macroActs = z.strictObject({ ...fields, snooze: z.optional(macroSnooze) })
named('MacroActs', macroActs)
export type MacroActs = z.infer<typeof macroActs>

/** A change of the acts of a macro: those that are named, of which null takes one away. */
export const macroChange = z.strictObject({
  priority: z.optional(z.nullable(priority)),
  topic: z.optional(z.nullable(topic)),
  add_tags: z.optional(z.nullable(tagList)),
  remove_tags: z.optional(z.nullable(tagList)),
  assignee: z.optional(z.nullable(assignee)),
  status: z.optional(z.nullable(status)),
  snooze: z.optional(z.nullable(macroSnooze)),
})

/** The codes with which acts are refused; `field` names the act. */
export const actErrors = {
  400: ['unknown_topic', 'unknown_priority', 'unknown_staff', 'too_many_tags', 'past_time'],
  409: ['ticket_closed', 'own_ticket'],
} as const
