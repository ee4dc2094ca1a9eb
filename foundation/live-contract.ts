import * as z from 'zod/mini'
import { route, liveEvent } from './contract.ts'

const cursor = z.optional(z.string().check(z.regex(/^u?\d{1,15}(\.s\d{1,15})?$/, 'invalid')))

/**
 * The live stream of one browser, as text/event-stream, read with `fetch` so that the token is in a header and never
 * in a URL. Each event has an id; a client that sends it as `Last-Event-ID` (or `after`) gets each later event exactly once.
 * Besides the events of the product there are:
 * - `ready`: the stream begins at this id, because the client sent no id. `unchanged` says that nothing has happened since the page
 *   began to load, as many milliseconds ago as `X-Loaded-Ms` says
 * - `resync`: some events after the client's id are no longer in the log; the client loads everything anew and goes on from this id
 * - `read_after`: calls that the client makes because of the next events carry its `position` as `X-Read-After` (only with a replica)
 * - `ended`: the session is over or its rights have changed; an ordinary call tells the client its present state
 * - `displaced`: the same person has opened a ninth stream, so this one, the oldest, was closed; the client comes back later
 * A program hears what the role of its token opens, each event with its `account`; its stream ends twice a day, and begins again by its last id.
 * Momentary events (`typing`, `presence`) have no id and are not repeated.
 */
export const events = route({
  id: 'events',
  tag: 'Live stream',
  method: 'GET',
  path: '/api/events/',
  access: { who: 'customer', acts: 'own', orMember: true, orProgram: true },
  summary: 'Live events of the signed-in customer (text/event-stream)',
  query: z.strictObject({ after: cursor }),
  headers: z.object({
    'last-event-id': cursor,
    /** An id that the page chose: a new stream with the same id replaces the page's former stream. */
    'x-tab-id': z.optional(z.string().check(z.regex(/^[\w-]{8,36}$/, 'invalid'))),
    /** How many milliseconds ago the page began to load what it shows. */
    'x-loaded-ms': z.optional(z.string().check(z.regex(/^\d{1,6}$/, 'invalid'))),
  }),
  responseType: 'text/event-stream',
  replies: { 200: null },
})

export const STREAM_READY = liveEvent('ready')
export const STREAM_RESYNC = liveEvent('resync')
export const STREAM_READ_AFTER = liveEvent('read_after')
export const STREAM_ENDED = liveEvent('ended')
export const STREAM_DISPLACED = liveEvent('displaced')

/** The server sends something at least this often. A browser that gets nothing for twice as long, and 5 s more, opens the stream anew. */
export const HEARTBEAT_MS = 15_000
