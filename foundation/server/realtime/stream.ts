import type { Writable } from 'node:stream'
import { STREAM_READ_AFTER, STREAM_READY, STREAM_RESYNC } from '#foundation/live-contract.ts'
import { printCursor, type Cursor } from './cursor.ts'
import type { Reading, StoredEvent } from './queries.ts'
import type { Question, Reader } from './questions.ts'

export type Stream = Reader & {
  user_id: string
  /** The page that reads the stream, by an id that the page chose; a newer stream of the page replaces this one. */
  tab: string | undefined
  /** The position of the reader; undefined begins at now. */
  after: Cursor | undefined
  /** How long ago the page began to load what it shows, when the stream was opened. */
  loaded_ms?: number | undefined
  out: Writable
  /** The number of bytes written while the reader was behind; 0 as long as it takes everything. */
  behind: number
  /** True once the end of the stream is written; nothing may follow. */
  ending: boolean
  /** The marks of `startReader`: if the stream waits for a batch or is in one, its last question, and the cursor of that question. */
  reading: { isWaiting: boolean; isTaken: boolean; at: Cursor | undefined; question: Question | undefined }
}

export type Wanted = Omit<Stream, 'out' | 'behind' | 'ending' | 'reading'>

/** An event of one topic, with the body that is sent along; members of staff get the body only while they watch the room. */
export type Sent = StoredEvent & {
  as_staff: boolean
  room: string | undefined
  body: object | undefined
  /** The event as it is sent, without its id: printed for the first reader, and the same for all others. */
  printed: { whole?: string; bare?: string }
}

/** The most bytes that may be written to a reader that is behind; above this limit the reader is cut off, and resumes by its last id. */
const BUFFER_CAP = 256 * 1024

/** Opens a stream on `out`, which has sent its headers. */
export function openStream(reader: Wanted, out: Writable): Stream {
  const reading = { isWaiting: false, isTaken: false, at: undefined, question: undefined }
  const stream = { ...reader, out, behind: 0, ending: false, reading }
  // Sent at once, so that the reader sees the stream open before anything happens.
  write(stream, 'retry: 1000\n: open\n\n')
  return stream
}

type News = {
  /** The news of the topic of the person; undefined if the stream has all of them. */
  own: (Reading & { events: Sent[] }) | undefined
  /** The news of the topic of all staff; undefined if the stream has all of them, or is not of staff. */
  staff: (Reading & { events: Sent[] }) | undefined
  limit: number
  /** The position that a replica must have reached to answer the calls that follow; null without a replica. */
  written: string | null
  looksAt: (room: string) => boolean
}

/** Sends the news to the stream; true if there is more to read. */
export function advance(stream: Stream, news: News): boolean {
  const { own, staff } = news
  if (!isOpen(stream)) return false
  const end = { own: own?.last_seq ?? stream.after?.own, staff: staff?.last_seq ?? stream.after?.staff }
  if (stream.after === undefined) {
    const unchanged = [own, staff].every((reading) => !reading || isOlder(reading, news, stream.loaded_ms))
    return moveTo(stream, end, news, STREAM_READY, unchanged ? { unchanged } : {})
  }
  const readings = { own, staff }
  for (const topic of ['own', 'staff'] as const) {
    const reading = readings[topic]
    if (reading && hasHole(reading, stream.after[topic])) return moveTo(stream, end, news, STREAM_RESYNC)
  }
  let text = ''
  let more = false
  for (const topic of ['own', 'staff'] as const) {
    const events = readings[topic]?.events ?? []
    for (const event of events) {
      stream.after = { ...stream.after, [topic]: event.seq }
      if (mayHear(stream, event)) text += eventText(event, news, printCursor(stream.after))
    }
    more ||= events.length === news.limit
  }
  if (text !== '') write(stream, readAfterText(news) + text)
  return more
}

/** True if events after the reader's position are missing: numbers have no holes, so they were deleted, or the database was restored. */
const hasHole = ({ last_seq, events }: Reading, after: number | undefined): boolean =>
  after !== last_seq && (after === undefined || events[0]?.seq !== after + 1)

const mayHear = ({ user_id }: Stream, { hidden_from, withheld }: StoredEvent): boolean =>
  hidden_from !== user_id && !withheld

function eventText(event: Sent, news: News, id: string): string {
  const { as_staff, room, printed } = event
  const isWanted = !as_staff || (room !== undefined && news.looksAt(room))
  const text = isWanted
    ? (printed.whole ??= printEvent(event, true))
    : (printed.bare ??= printEvent(event, false))
  return `id: ${id}\n${text}`
}

const printEvent = ({ type, payload, as_staff, body }: Sent, isWhole: boolean): string =>
  message(type, { ...payload, ...(as_staff && { staff: true }), ...(body && isWhole && { body }) })

/** Returns the text of the message that goes before events after which a page calls the server. */
const readAfterText = ({ written }: News): string =>
  written === null ? '' : message(STREAM_READ_AFTER, { position: written })

/** True if the page has already loaded everything that has happened, so that it need not load again. */
const isOlder = ({ quiet_ms }: Reading, { written }: News, loaded_ms: number | undefined): boolean =>
  loaded_ms !== undefined &&
  (quiet_ms === null ||
    quiet_ms > loaded_ms + LONGEST_TRANSACTION_MS + (written === null ? 0 : LONGEST_BEHIND_MS))

/** An event has the time at which its transaction began, but is visible only after its end, on a replica some seconds later. */
const LONGEST_TRANSACTION_MS = 30_000
const LONGEST_BEHIND_MS = 10_000

function moveTo(
  stream: Stream,
  cursor: Cursor,
  news: News,
  type: string,
  data: Record<string, unknown> = {},
): false {
  stream.after = cursor
  write(stream, readAfterText(news) + message(type, data, printCursor(cursor)))
  return false
}

export const beat = (stream: Stream) => write(stream, ': beat\n\n')

/** Sends a message that is stored nowhere: it has no id, and a reader who was away never receives it. */
export const whisper = (stream: Stream, type: string, data: Record<string, unknown>) =>
  write(stream, message(type, data))

/** Ends a stream politely: what was written still arrives, if it is taken within half a second. */
export function endStream(stream: Stream, last?: string): void {
  if (!isOpen(stream)) return
  stream.out.end(last)
  stream.ending = true
  // A reader who takes nothing must not keep open a stream that they have lost the right to.
  setTimeout(() => stream.out.destroy(), 500).unref()
}

const isOpen = ({ out, ending }: Stream) => !ending && !out.destroyed

function write(stream: Stream, text: string): void {
  if (!isOpen(stream)) return
  const { out } = stream
  // The data on its way when a reader falls behind may be large, as after an hour away: only what comes after it counts.
  stream.behind = out.writableNeedDrain ? stream.behind + Buffer.byteLength(text) : 0
  if (stream.behind > BUFFER_CAP) out.destroy()
  else out.write(text)
}

export const message = (type: string, data: Record<string, unknown> = {}, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
