import * as z from 'zod/mini'
import { capability } from '#foundation/capability.ts'
import { route } from '#foundation/contract.ts'
import { bigCount, digits, digitsOr, named, time, uuidText } from '#foundation/printed.ts'

/** Account events: one ordered list for each account, which programs read by pulling, or get by webhooks. */

export const accountEvent = z.strictObject({
  /** `evt_<account>_<seq>`, the same for ever. */
  id: z.string(),
  /** The number in the list of the account: by one more for each event. */
  seq: bigCount(),
  /** `thing.past_participle`, as in the `webhooks` of the API document. */
  type: z.string(),
  occurred_at: time(),
  /** The server that the event is about. */
  host_id: z.nullable(z.string()),
  /** The resource as its call answered at that moment. */
  data: z.record(z.string(), z.unknown()),
  /** The account that the event is about, in the operator's list only. */
  customer: z.optional(z.strictObject({ id: uuidText() })),
})
named('AccountEvent', accountEvent)
export type AccountEvent = z.infer<typeof accountEvent>

export const seeEvents = capability('events.see', ['technical', 'billing', 'full', 'read'])

/** Names of kinds separated by commas; `thing.*` names all kinds of a thing. */
const eventTypes = z
  .string()
  .check(z.regex(/^[a-z_]+\.(?:[a-z_]+|\*)(?:,[a-z_]+\.(?:[a-z_]+|\*)){0,49}$/, 'invalid'))

const seq = digits(/^\d{1,15}$/, 0, 999_999_999_999_999)

export const listEvents = route({
  id: 'listEvents',
  tag: 'Live stream',
  method: 'GET',
  path: '/api/events/history/',
  access: { who: 'customer', acts: seeEvents },
  summary: 'The events of the account, in order',
  description:
    'Events after the number `after`, the oldest first, or from the oldest that is kept. The list is kept for 30 days, and written from the first such call on, as long as one comes in 30 days or a webhook is set up. An `after` that is older than what is kept, or is not of this list, is 410; `begins` is then the first that is answered',
  query: z.strictObject({
    after: z.optional(seq),
    type: z.optional(eventTypes),
    limit: digitsOr(25, /^(?:[1-9]\d?|100)$/, 1, 100),
  }),
  replies: {
    200: z.strictObject({
      items: z.array(accountEvent),
      /** The `after` of the next call; events that the filter or a role leaves out lie before it. */
      next_after: bigCount(),
      /** False if the list ends here for now. */
      has_more: z.boolean(),
      /** The smallest `after` that is answered. */
      begins: bigCount(),
      /** The number of the newest event. */
      newest: bigCount(),
    }),
    410: z.strictObject({
      status: z.literal(410),
      errors: z.array(
        z.strictObject({ code: z.string(), param: z.optional(z.string()), message: z.string() }),
      ),
      begins: z.optional(bigCount()),
    }),
  },
  errors: { 400: ['unknown_event_type'], 410: ['events_gone'] },
})
