import * as z from 'zod/mini'
import { route, liveEvent } from './contract.ts'

const cursor = z.optional(z.string().check(z.regex(/^u?\d{1,15}(\.s\d{1,15})?$/, 'invalid')))

/**
 * The live stream of one browser, as text/event-stream, read with `fetch` so that the token is in a header and never
 * in a URL. Each event has an id; `Last-Event-ID` (or `after`) resumes after it, without gap or double.
 * Besides the events of the product there are:
 * - `ready`: the stream began at this id (sent where no cursor was); with `unchanged` nothing has happened since the page began to
 *   load, as far back as `X-Loaded-Ms` says
 * - `resync`: what lies between is not in the log any more; load everything anew and go on from this id
 * - `read_after`: calls after the events that follow carry its `position` as `X-Read-After` (sent where a replica answers some of them)
 * - `ended`: this session is over or its rights have changed; ask by an ordinary call what is true now
 * - `displaced`: a ninth stream of the same person has taken the place of this one, the oldest; come back later
 * Events of what happens for the moment (`typing`, `presence`) have no id and are not repeated.
 */
export const events = route({
  id: 'events',
  tag: 'Live stream',
  method: 'GET',
  path: '/api/events/',
  access: { who: 'customer', acts: 'own' },
  summary: 'Live events of the signed-in customer (text/event-stream)',
  query: z.strictObject({ after: cursor }),
  headers: z.object({
    'last-event-id': cursor,
    /** An id of the page's own choice: a new stream with it takes the place of the last one. */
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

/** The server sends something at least this often; a reader that gets nothing for twice as long is cut off. */
export const HEARTBEAT_MS = 15_000
