import { Readable } from 'node:stream'
import { STREAM_ENDED, STREAM_READY, STREAM_RESYNC } from '#foundation/live-contract.ts'
import type { Reader, Reading } from './queries.ts'

export type Stream = Reader & {
  user_id: string
  is_staff: boolean
  out: Readable
  /** Its end is written; nothing may follow. */
  ending: boolean
}

export type Wanted = Omit<Stream, 'out' | 'ending'>

/** A reader that takes nothing for so long that this much waits for it is cut off; it resumes by its last id. */
const BUFFER_CAP = 256 * 1024

export function openStream(reader: Wanted): Stream {
  const out = new Readable({ read() {} })
  // Sent at once, so that the reader sees the stream open before anything happens.
  out.push('retry: 1000\n: open\n\n')
  return { ...reader, out, ending: false }
}

/** Sends what was read for the stream; answers whether there is more to read. */
export function advance(
  stream: Stream,
  { alive, is_staff, last_seq, events }: Reading,
  limit: number,
): boolean {
  if (!isOpen(stream)) return false
  if (!alive || is_staff !== stream.is_staff) {
    endStream(stream, message(STREAM_ENDED))
    return false
  }
  if (stream.after === undefined) return moveTo(stream, last_seq, STREAM_READY)
  if (stream.after === last_seq) return false
  // Numbers have no holes: one that is missing was swept, or the database is another (restored) one.
  if (events[0]?.seq !== stream.after + 1) return moveTo(stream, last_seq, STREAM_RESYNC)
  write(stream, events.map(({ seq, type, payload }) => message(type, payload, seq)).join(''))
  stream.after = events.at(-1)!.seq
  return events.length === limit
}

function moveTo(stream: Stream, seq: number, type: string): false {
  stream.after = seq
  write(stream, message(type, {}, seq))
  return false
}

export const beat = (stream: Stream) => write(stream, ': beat\n\n')

/** Ends a stream politely: what was written still arrives, if it is taken within half a second. */
export function endStream(stream: Stream, last?: string): void {
  if (!isOpen(stream)) return
  if (last) stream.out.push(last)
  stream.out.push(null)
  stream.ending = true
  // A reader that accepts no data must not keep the slot of a stream that they have lost the right to.
  setTimeout(() => stream.out.destroy(), 500).unref()
}

const isOpen = ({ out, ending }: Stream) => !ending && !out.destroyed

function write(stream: Stream, text: string): void {
  if (!isOpen(stream)) return
  stream.out.push(text)
  if (stream.out.readableLength > BUFFER_CAP) stream.out.destroy()
}

const message = (type: string, data: Record<string, unknown> = {}, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
