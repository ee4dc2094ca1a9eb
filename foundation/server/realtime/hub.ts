import { HEARTBEAT_MS } from '#foundation/live-contract.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { listen } from './listener.ts'
import { readFor } from './queries.ts'
import { advance, beat, endStream, openStream, type Stream, type Wanted } from './stream.ts'

/**
 * All open streams of a process. Everything they are sent is read from the log: NOTIFY only says where to look sooner,
 * so a lost one costs a second, never an event. The same statement reads who may still listen, once a second for all,
 * so a sign-out, a deactivation or a lost role ends a stream within two seconds even if nobody told of it.
 */
export type Hub = {
  open(reader: Wanted): Stream
  close(): Promise<void>
}

const hubs = new WeakMap<App, Hub>()

export function hubOf(app: App): Hub {
  let hub = hubs.get(app)
  if (!hub) hubs.set(app, (hub = startHub(app)))
  return hub
}

/** Ends all streams politely, so that the server can close; the browsers come back to another process. */
export async function closeStreams(app: App): Promise<void> {
  await hubs.get(app)?.close()
}

const STREAMS_PER_USER = 8
/** About 20 kB each; the next one goes to another process, or comes back later. */
const STREAMS_PER_PROCESS = 10_000
const CHECK_MS = 1000
const READ_LIMIT = 200
const BATCH = 1000

function startHub(app: App): Hub {
  const byUser = new Map<string, Set<Stream>>()
  let count = 0
  const everyone = () => [...byUser.values()].flatMap((streams) => [...streams])
  const reader = startReader(app)
  const listener = listen(
    app,
    (user_id) => reader.read(byUser.get(user_id) ?? []),
    () => reader.read(everyone()),
  )
  const checks = setInterval(() => reader.read(everyone()), CHECK_MS)
  const beats = setInterval(() => everyone().forEach(beat), HEARTBEAT_MS)
  let closed = false

  return {
    open(wanted) {
      if (closed) throw new HttpError(503, [{ code: 'unavailable' }], 1)
      const streams = byUser.get(wanted.user_id) ?? new Set()
      if (streams.size >= STREAMS_PER_USER) throw new HttpError(429, [{ code: 'too_many_requests' }], 10)
      if (count >= STREAMS_PER_PROCESS) throw new HttpError(503, [{ code: 'unavailable' }], 10)
      const stream = openStream(wanted)
      byUser.set(wanted.user_id, streams.add(stream))
      count += 1
      stream.out.once('close', () => {
        count -= 1
        streams.delete(stream)
        if (streams.size === 0 && byUser.get(wanted.user_id) === streams) byUser.delete(wanted.user_id)
      })
      reader.read([stream])
      return stream
    },
    async close() {
      closed = true
      clearInterval(checks)
      clearInterval(beats)
      for (const stream of everyone()) endStream(stream)
      await listener.stop()
      await reader.idle()
    },
  }
}

/** Reads for the streams that may have news, one statement at a time; who is named meanwhile is in the next one. */
function startReader(app: App): { read(streams: Iterable<Stream>): void; idle(): Promise<void> } {
  const waiting = new Set<Stream>()
  let reading: Promise<void> | undefined

  async function work(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, BATCH)
      for (const stream of batch) waiting.delete(stream)
      try {
        for (const row of await readFor(app, batch, READ_LIMIT)) {
          const stream = batch[row.place - 1]!
          if (advance(stream, row, READ_LIMIT)) waiting.add(stream)
        }
      } catch (error) {
        // The database is away: streams stay open, and the next check reads on from where they are.
        app.log.debug({ err: error }, 'live: cannot read')
      }
    }
    reading = undefined
  }

  return {
    read(streams) {
      for (const stream of streams) waiting.add(stream)
      if (waiting.size > 0) reading ??= work()
    },
    idle: async () => reading,
  }
}
