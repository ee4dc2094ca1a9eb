import { must } from '#foundation/must.ts'
import { percentile, type Figure } from '#tools/figures/table.ts'
import type { StreamReader } from './stream-reader.ts'

/** A confirmed message: `at` is the time of its first post, `seq` the number that the server gave it. */
export type Sent = { client_id: string; chat_id: string; at: number; seq: number }

/** The confirmed messages, the readers that must get those of their own chat, and the readers that must be notified of all (`heardBy`). */
type Records = { readers: readonly StreamReader[]; heardBy: readonly StreamReader[]; sent: readonly Sent[] }

/** The delivery times of the messages that were sent from `since` on. */
export function deliveryFigures({
  most_ms,
  note,
  since,
  ...records
}: Records & { most_ms: number; note: string; since: number }): Figure[] {
  const { read_ms, heard_ms, after_break_ms } = deliveries(records, since)
  return [
    { name: 'from saying to reading, p99', value: percentile(read_ms, 99), unit: 'ms', most: most_ms, note },
    { name: 'the same, p50', value: percentile(read_ms, 50), unit: 'ms' },
    {
      name: 'from saying to hearing of it, p99',
      value: percentile(heard_ms, 99),
      unit: 'ms',
      most: most_ms,
      note: `${heard_ms.length} times at staff`,
    },
    { name: 'after a break, p99', value: percentile(after_break_ms, 99), unit: 'ms' },
  ]
}

export function recordFigures(records: Records): Figure[] {
  const { readers, sent } = records
  const { lost, doubled } = compare(records)
  const faults = readers.flatMap((reader) => reader.faults)
  const breaks = readers.reduce((sum, reader) => sum + reader.breaks.length, 0)
  return [
    {
      name: 'messages lost',
      value: lost,
      unit: '',
      most: 0,
      note: `of ${sent.length} confirmed, ${breaks} breaks`,
    },
    { name: 'messages doubled', value: doubled, unit: '', most: 0 },
    {
      name: 'out of order or with a hole',
      value: faults.length,
      unit: '',
      most: 0,
      ...(faults.length > 0 ? { note: faults.slice(0, 3).join(', ') } : {}),
    },
  ]
}

export const memoryOfOne = (value: number): Figure => ({ name: 'memory of one', value, unit: 'kB', most: 64 })

export const backAfterKill = (back_ms: number, start_ms: number): Figure => ({
  name: 'all back after kill -9',
  value: back_ms,
  unit: 'ms',
  most: 10_000,
  note: `the server itself took ${Math.round(start_ms)} ms`,
})

type Delivered = { read_ms: number[]; heard_ms: number[]; after_break_ms: number[] }

/** The times from the beginning of the call that posted a message until a reader had its text, or its event. */
function deliveries({ readers, heardBy, sent }: Records, since: number): Delivered {
  const byId = new Map(sent.map((one) => [one.client_id, one]))
  const delivered: Delivered = { read_ms: [], heard_ms: [], after_break_ms: [] }
  const note = (reader: StreamReader, into: number[], from: number, to: number) => {
    if (from < since) return
    const broken = reader.breaks.some((one) => one.from <= to && one.to >= from)
    ;(broken ? delivered.after_break_ms : into).push(to - from)
  }
  for (const reader of readers)
    for (const { client_id, at } of reader.got)
      note(reader, delivered.read_ms, must(byId.get(client_id)).at, at)
  const chats = byChat(sent)
  for (const reader of heardBy)
    for (const [chat_id, times] of reader.heard)
      for (const [place, at] of times.entries()) {
        const one = chats.get(chat_id)?.[place]
        if (one) note(reader, delivered.heard_ms, one.at, at)
      }
  return delivered
}

/** The confirmed messages of each chat, by number. */
function byChat(sent: readonly Sent[]): Map<string, Sent[]> {
  const chats = new Map<string, Sent[]>()
  for (const one of sent) chats.set(one.chat_id, [...(chats.get(one.chat_id) ?? []), one])
  for (const [chat_id, list] of chats)
    chats.set(
      chat_id,
      list.toSorted((a, b) => a.seq - b.seq),
    )
  return chats
}

/** Compares the record of every reader with the confirmed messages: of its chat, and for `heardBy` the events of all chats. */
function compare({ readers, heardBy, sent }: Records): { lost: number; doubled: number } {
  const chats = byChat(sent)
  let [lost, doubled] = [0, 0]
  for (const reader of readers) {
    const ids = reader.got.map(({ client_id }) => client_id)
    const had = new Set(ids)
    doubled += ids.length - had.size
    lost += (chats.get(reader.chat_id) ?? []).filter(({ client_id }) => !had.has(client_id)).length
  }
  for (const reader of heardBy)
    for (const [chat_id, list] of chats) {
      const heard = reader.heard.get(chat_id)?.length ?? 0
      lost += Math.max(0, list.length - heard)
      doubled += Math.max(0, heard - list.length)
    }
  return { lost, doubled }
}
