import { Readable } from 'node:stream'
import { STREAM_ENDED, STREAM_READ_AFTER, STREAM_READY, STREAM_RESYNC } from '#foundation/live-contract.ts'
import { printCursor, type Cursor } from './cursor.ts'
import type { Reader, Reading, Rights, StoredEvent } from './queries.ts'

export type Stream = Reader & {
  user_id: string
  is_staff: boolean
  /** Opened from a network from which staff may work. */
  in_staff_network: boolean
  /** The page that reads it, by an id of its own choice; a newer stream of the same page takes its place. */
  tab: string | undefined
  /** Undefined begins at now. */
  after: Cursor | undefined
  /** How long ago the page began to load what it shows, when the stream was opened. */
  loaded_ms?: number | undefined
  out: Readable
  /** True once the end of the stream is written; nothing may follow. */
  ending: boolean
}

export type Wanted = Omit<Stream, 'out' | 'ending'>

/** An event of one topic with the body that it is sent with, for those who look where it happens. */
export type Sent = StoredEvent & {
  as_staff: boolean
  room: string | undefined
  body: object | undefined
  /** The event as it is sent, without its id: printed for the first reader, and the same for all others. */
  printed: { whole?: string; bare?: string }
}

/** A reader that takes nothing until this much waits for it is cut off; it resumes by its last id. */
const BUFFER_CAP = 256 * 1024

export function openStream(reader: Wanted): Stream {
  const out = new Readable({ read() {} })
  // Sent at once, so that the reader sees the stream open before anything happens.
  out.push('retry: 1000\n: open\n\n')
  return { ...reader, out, ending: false }
}

export type News = {
  rights: Rights
  own: Reading & { events: Sent[] }
  /** The events for staff alone. */
  staff: (Reading & { events: Sent[] }) | undefined
  limit: number
  /** The position that a replica must have reached to answer the calls that follow; null without a replica. */
  written: string | null
  looksAt: (room: string) => boolean
}

/** Sends what was read for the stream; answers whether there is more to read. */
export function advance(stream: Stream, news: News): boolean {
  const { rights, own, staff } = news
  if (!isOpen(stream)) return false
  if (!rights.alive || (rights.is_staff && stream.in_staff_network) !== stream.is_staff) {
    endStream(stream, message(STREAM_ENDED))
    return false
  }
  const end = { own: own.last_seq, staff: staff?.last_seq }
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

/** Numbers have no holes: one that is missing was swept, or the database is another (restored) one. */
const hasHole = ({ last_seq, events }: Reading, after: number | undefined): boolean =>
  after !== last_seq && (after === undefined || events[0]?.seq !== after + 1)

const mayHear = (
  { user_id, is_staff }: Stream,
  { hidden_from, withheld, staff_only }: StoredEvent,
): boolean => hidden_from !== user_id && !withheld && (is_staff || !staff_only)

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

/** Sent before the events that make a page read. */
const readAfterText = ({ written }: News): string =>
  written === null ? '' : message(STREAM_READ_AFTER, { position: written })

/** True where the page has loaded all that has happened: it need not load it anew. */
const isOlder = ({ quiet_ms }: Reading, { written }: News, loaded_ms: number | undefined): boolean =>
  loaded_ms !== undefined &&
  (quiet_ms === null ||
    quiet_ms > loaded_ms + LONGEST_TRANSACTION_MS + (written === null ? 0 : LONGEST_BEHIND_MS))

/** An event bears the time at which its transaction began, and is seen when that has ended, on a replica some seconds later. */
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

/** Sends something that no log holds: it has no id, and a reader who was away never receives it. */
export const whisper = (stream: Stream, type: string, data: Record<string, unknown>) =>
  write(stream, message(type, data))

/** Ends a stream politely: what was written still arrives, if it is taken within half a second. */
export function endStream(stream: Stream, last?: string): void {
  if (!isOpen(stream)) return
  if (last) stream.out.push(last)
  stream.out.push(null)
  stream.ending = true
  // A reader who takes nothing must not keep the place of a stream that they have lost the right to.
  setTimeout(() => stream.out.destroy(), 500).unref()
}

const isOpen = ({ out, ending }: Stream) => !ending && !out.destroyed

function write(stream: Stream, text: string): void {
  if (!isOpen(stream)) return
  stream.out.push(text)
  if (stream.out.readableLength > BUFFER_CAP) stream.out.destroy()
}

export const message = (type: string, data: Record<string, unknown> = {}, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
