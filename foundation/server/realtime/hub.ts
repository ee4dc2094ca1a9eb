import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import { HEARTBEAT_MS, STREAM_DISPLACED } from '#foundation/live-contract.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { descriptorLimit, descriptorsLeft, spareOf } from '#foundation/server/operation/descriptors.ts'
import { listen } from './listener.ts'
import { startReader } from './reader.ts'
import { notify, STAFF } from './queries.ts'
import { parseSignal, printSignal, Viewers, type Looking, type Signal } from './signals.ts'
import { beat, endStream, message, openStream, whisper, type Stream, type Wanted } from './stream.ts'

/**
 * All open streams of a process. Every stored event that they are sent is read from the table live_events. NOTIFY only tells a process to
 * look sooner, so a lost NOTIFY costs a second, never an event. Once a second one statement also reads who may still listen, so a sign-out,
 * a deactivation or a lost role ends a stream within two seconds even if nobody announced it.
 */
type Hub = {
  /** Returns the number of open streams. */
  count(): number
  /** Opens a stream over the answer that `begin` starts. Throws 503, before it calls `begin`, if there is no place for a stream. */
  open(reader: Wanted, begin: () => Writable): Stream
  /** Sends a transient signal: to the streams of this process at once, to those of the other processes by NOTIFY. */
  say(word: Signal): Promise<void>
  /** The people who have a room open. */
  lookingAt(room: string): Looking[]
  close(): Promise<void>
}

const hubs = new WeakMap<App['pool'], Hub>()

export function hubOf(app: App): Hub {
  let hub = hubs.get(app.pool)
  // The hub outlives the call that opens it, so it acts for nobody.
  if (!hub) hubs.set(app.pool, (hub = startHub({ ...app, acting: undefined })))
  return hub
}

/** Returns the number of open streams of this process. */
export const countStreams = (app: App): number => hubs.get(app.pool)?.count() ?? 0

/** Ends all streams politely, so that the server can close; the browsers come back to another process. */
export async function closeStreams(app: App): Promise<void> {
  await hubs.get(app.pool)?.close()
}

const STREAMS_PER_USER = 8
/** A stream takes about 30 kB. A reader beyond this limit goes to another process, or comes back later. */
const STREAMS_PER_PROCESS = 10_000
const CHECK_MS = 1000
/**
 * The streams are divided into slices, which are checked, and get their heartbeat, in turn: all streams at once would hold up the messages
 * that come meanwhile.
 */
const SLICES = 20
/**
 * The number of streams that go into one slice before the next slice is used: a few streams share a slice, and cost one statement a second.
 */
const STREAMS_IN_SLICE = 50

function startHub(app: App): Hub {
  const streams = streamsByTopic()
  const viewers = new Viewers()
  const process = randomUUID()
  const reader = startReader(app, {
    looksAt: (stream, room) => viewers.has(room, stream.user_id),
    isWatched: (room) => viewers.of(room).some(({ user_id }) => streams.of(user_id).length > 0),
  })
  const deliver = (word: Signal) => {
    viewers.hear(word)
    const people = new Set(viewers.of(word.room).map(({ user_id }) => user_id))
    if (word.to !== undefined) people.add(word.to)
    people.delete(word.by)
    for (const user_id of people)
      for (const stream of streams.of(user_id)) whisper(stream, word.type, word.data)
  }
  const wake = (payload: string) => {
    const word = parseSignal(payload)
    if (!word) reader.read(streams.of(payload))
    else if (word.process !== process) deliver(word)
  }
  const listener = listen(app, wake, () => reader.read(streams.all()))
  let slice = 0
  const checks = setInterval(() => {
    slice = (slice + 1) % SLICES
    if (slice === 0) viewers.sweep()
    reader.read(streams.ofSlice(slice))
  }, CHECK_MS / SLICES)
  let beating = 0
  const beats = setInterval(() => {
    beating = (beating + 1) % SLICES
    streams.ofSlice(beating).forEach(beat)
  }, HEARTBEAT_MS / SLICES)
  let closed = false

  return {
    count: streams.count,
    open(wanted, begin) {
      if (closed) throw new HttpError(503, [{ code: 'unavailable' }], 1)
      makeRoom(streams.of(wanted.user_id), wanted.tab)
      const isFull = streams.count() >= STREAMS_PER_PROCESS || !hasDescriptors(app)
      if (isFull) throw new HttpError(503, [{ code: 'unavailable' }], 10)
      const stream = openStream(wanted, begin())
      // If the reader left while its session was read, its `close` event is past, and would never remove the stream.
      if (stream.out.destroyed) return stream
      streams.add(stream)
      stream.out.once('close', () => streams.remove(stream))
      reader.read([stream])
      return stream
    },
    async say(word) {
      deliver(word)
      await notify(app, printSignal(word, process))
    },
    lookingAt: (room) => viewers.of(room),
    async close() {
      closed = true
      clearInterval(checks)
      clearInterval(beats)
      for (const stream of streams.all()) endStream(stream)
      await listener.stop()
      await reader.idle()
    },
  }
}

/** The line of the start about the streams that the limit of descriptors allows; undefined if it allows all of them. */
export function describeStreamLimit(): string | undefined {
  const limit = descriptorLimit()
  const allowed = Math.max(0, descriptorsLeft() - spareOf(limit))
  if (allowed >= STREAMS_PER_PROCESS) return undefined
  return `the process may open ${limit} files and connections: enough for ${allowed} live streams, after which new ones get 503. Raise the limit (LimitNOFILE, ulimit -n) to ${STREAMS_PER_PROCESS + 1000}`
}

const SAY_MS = 60_000
const said = new WeakMap<App['pool'], number>()

/** False if a stream would take one of the last descriptors, which requests need; said once a minute. */
function hasDescriptors(app: App): boolean {
  const limit = descriptorLimit()
  const left = descriptorsLeft()
  if (left >= spareOf(limit)) return true
  if (performance.now() - (said.get(app.pool) ?? -Infinity) > SAY_MS) {
    said.set(app.pool, performance.now())
    app.log.warn({ limit, left }, 'out of file descriptors: new live streams are refused')
  }
  return false
}

/**
 * A client that vanished silently keeps its place until TCP gives up, which takes minutes. So a page that comes back
 * takes the place of its own last stream, and a stream too many takes that of the oldest.
 */
function makeRoom(open: readonly Stream[], tab: string | undefined): void {
  const left = open.filter((stream) => {
    if (stream.ending) return false
    const isSame = tab !== undefined && stream.tab === tab
    if (isSame) endStream(stream)
    return !isSame
  })
  for (const oldest of left.slice(0, Math.max(0, left.length + 1 - STREAMS_PER_USER)))
    endStream(oldest, message(STREAM_DISPLACED))
}

/**
 * Holds the streams by topic (the person, and for staff also the topic of all staff) in the order in which they were opened, and by slice,
 * for the checks.
 */
function streamsByTopic() {
  const topics = new Map<string, Set<Stream>>()
  const slices = Array.from({ length: SLICES }, () => new Set<Stream>())
  let opened = 0
  let count = 0
  const topicsOf = ({ user_id, is_staff }: Stream) => (is_staff ? [user_id, STAFF] : [user_id])
  return {
    count: () => count,
    of: (topic: string): Stream[] => [...(topics.get(topic) ?? [])],
    all: (): Stream[] => slices.flatMap((streams) => [...streams]),
    ofSlice: (slice: number): Stream[] => [...must(slices[slice])],
    add(stream: Stream): void {
      must(slices[Math.floor(opened / STREAMS_IN_SLICE) % SLICES]).add(stream)
      opened += 1
      count += 1
      for (const topic of topicsOf(stream)) topics.set(topic, (topics.get(topic) ?? new Set()).add(stream))
    },
    remove(stream: Stream): void {
      for (const streams of slices) streams.delete(stream)
      count -= 1
      for (const topic of topicsOf(stream)) {
        const streams = topics.get(topic)
        streams?.delete(stream)
        if (streams?.size === 0) topics.delete(topic)
      }
    },
  }
}
