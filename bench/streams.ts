import { postMessage } from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTicket } from '#features/support/tickets/contract.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { inParallel } from './in-parallel.ts'
import { percentile, type Figure } from '#tools/figures/table.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { residentOf } from './resident.ts'
import { StreamReader } from './stream-reader.ts'
import { must } from '#foundation/must.ts'

const CUSTOMERS = 960
const STAFF = 5
const STREAMS_OF_STAFF = 8
const STREAMS = CUSTOMERS + STAFF * STREAMS_OF_STAFF
const MESSAGES_S = 50
const SECONDS = 60
const CUT_S = STREAMS / 100
/** The length of a run with a kill: the server is killed in its second half. */
const SECONDS_WITH_KILL = 30

/** A message that was sent: when, and with which number it was confirmed. */
type Sent = { client_id: string; chat_id: string; at: number; seq: number }

/**
 * A thousand streams, fifty messages a second to and from customers, each sent to all of the staff; each second a hundredth of
 * the streams is cut. Then once more with a kill -9 of the server and its PostgreSQL in the middle.
 */
export async function measureStreams(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = {
    ...production,
    NODE_ENV: 'production',
    ROLE: 'web',
    RATE_LIMIT_SCALE: '1000000',
    PORT: String(await freePort()),
  }
  let product = await startProduct({ dataDir, settings })
  const readers: StreamReader[] = []
  try {
    const { url } = product
    const people = await signInMany({ url, dataDir, settings }, { customers: CUSTOMERS, staff: STAFF })
    const chats = await openChats(people.customers)
    const before_kB = residentOf(product.pid)
    readers.push(...readersOf(people, chats))
    const following = readers.map((reader) => reader.follow())
    await until(() => readers.every(({ open }) => open), 60_000, 'streams do not open')
    await sleep(3000)
    const stream_kB = (residentOf(product.pid) - before_kB) / STREAMS

    const calm = await writeFor(SECONDS, people, chats, readers)
    await settled(readers, calm)
    const delivered = deliveries(readers, calm)

    let back_ms = 0
    const [stormy] = await Promise.all([
      writeFor(SECONDS_WITH_KILL, people, chats, readers),
      sleep(8000).then(async () => {
        const killed = performance.now()
        await product.kill()
        product = await startProduct({ dataDir, settings })
        await until(() => readers.every((reader) => wasBackSince(reader, killed)), 60_000, 'not all are back')
        back_ms = Math.max(...readers.map((reader) => backAt(reader, killed) - killed))
      }),
    ])
    const all = [...calm, ...stormy]
    await settled(readers, all)
    for (const reader of readers) reader.stop()
    await Promise.all(following)
    return figures({ ...delivered, stream_kB, back_ms, start_ms: product.start_ms, sent: all, readers })
  } finally {
    for (const reader of readers) reader.stop()
    await product.stop()
    remove()
  }
}

type People = { customers: Customer[]; staff: Customer[] }

async function openChats(customers: readonly Customer[]): Promise<string[]> {
  const chats: string[] = []
  await inParallel(8, customers.length, async (place) => {
    const body = { subject: 'Question', message: 'Hello', topic: 'technical' } as const
    const reply = await must(customers[place]).api.call(createTicket, { body })
    if (reply.status !== 201) throw new Error(`a ticket answers ${reply.status}`)
    chats[place] = reply.body.id
  })
  return chats
}

/** Each customer reads their own chat, each stream of staff is notified of all and has one of them open. */
function readersOf({ customers, staff }: People, chats: readonly string[]): StreamReader[] {
  const own = customers.map(({ api }, place) => new StreamReader(api, must(chats[place]), 1))
  const desks = staff.flatMap(({ api }, person) =>
    Array.from(
      { length: STREAMS_OF_STAFF },
      (_, tab) => new StreamReader(api, must(chats[person * STREAMS_OF_STAFF + tab]), 1),
    ),
  )
  return [...own, ...desks]
}

/** Says fifty things a second, each until it is confirmed as the outbox does, and cuts streams at random. */
async function writeFor(
  seconds: number,
  { customers, staff }: People,
  chats: readonly string[],
  readers: readonly StreamReader[],
): Promise<Sent[]> {
  const saying: Promise<Sent>[] = []
  const begun = performance.now()
  for (let count = 0; count < seconds * MESSAGES_S; count += 1) {
    await sleep(Math.max(0, begun + (count * 1000) / MESSAGES_S - performance.now()))
    const place = Math.floor(Math.random() * chats.length)
    const author = count % 2 === 0 ? must(customers[place]) : must(staff[count % staff.length])
    saying.push(sayUntilConfirmed(author, must(chats[place])))
    if (count % MESSAGES_S === 0)
      for (let cut = 0; cut < CUT_S; cut += 1) must(readers[Math.floor(Math.random() * readers.length)]).cut()
  }
  return Promise.all(saying)
}

async function sayUntilConfirmed({ api }: Customer, chat_id: string): Promise<Sent> {
  const client_id = randomUUID()
  const at = performance.now()
  for (;;) {
    const input = { params: { chatId: chat_id }, body: { client_id, text: 'A few words, as they are said.' } }
    const reply = await api.call(postMessage, input).catch(() => undefined)
    if (reply?.status === 201 || reply?.status === 200) return { client_id, chat_id, at, seq: reply.body.seq }
    await sleep(500 + Math.random() * 500)
  }
}

/** Waits until every reader has what was confirmed in its chat. */
async function settled(readers: readonly StreamReader[], sent: readonly Sent[]): Promise<void> {
  const last = new Map<string, number>()
  for (const { chat_id, seq } of sent) last.set(chat_id, Math.max(seq, last.get(chat_id) ?? 0))
  const isWhole = (reader: StreamReader) => reader.open && reader.last_seq >= (last.get(reader.chat_id) ?? 0)
  // Events that are still missing after that count as lost.
  await until(() => readers.every(isWhole), 30_000, '').catch(() => undefined)
}

type Delivered = { read_ms: number[]; heard_ms: number[]; after_break_ms: number[] }

/** The times from the beginning of the call that posted a message to the reader's having its words, or the event. */
function deliveries(readers: readonly StreamReader[], sent: readonly Sent[]): Delivered {
  const byId = new Map(sent.map((one) => [one.client_id, one]))
  const delivered: Delivered = { read_ms: [], heard_ms: [], after_break_ms: [] }
  const note = (reader: StreamReader, into: number[], from: number, to: number) => {
    const broken = reader.breaks.some((one) => one.from <= to && one.to >= from)
    ;(broken ? delivered.after_break_ms : into).push(to - from)
  }
  for (const reader of readers)
    for (const { client_id, at } of reader.got)
      note(reader, delivered.read_ms, must(byId.get(client_id)).at, at)
  const chats = byChat(sent)
  for (const reader of readers.slice(CUSTOMERS))
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

type Result = Delivered & {
  stream_kB: number
  back_ms: number
  start_ms: number
  sent: Sent[]
  readers: readonly StreamReader[]
}

function figures(result: Result): Figure[] {
  const { read_ms, heard_ms, after_break_ms, sent, readers } = result
  const note = `${STREAMS} streams, ${MESSAGES_S} messages/s, ${SECONDS} s, 1 % cut a second`
  const { lost, doubled } = compare(readers, sent)
  const faults = readers.flatMap((reader) => reader.faults)
  const breaks = readers.reduce((sum, reader) => sum + reader.breaks.length, 0)
  return [
    {
      name: 'streams, from saying to reading, p99',
      value: percentile(read_ms, 99),
      unit: 'ms',
      most: 250,
      note,
    },
    { name: 'streams, the same, p50', value: percentile(read_ms, 50), unit: 'ms' },
    {
      name: 'streams, from saying to hearing of it, p99',
      value: percentile(heard_ms, 99),
      unit: 'ms',
      most: 250,
      note: `${heard_ms.length} times at staff`,
    },
    { name: 'streams, after a break, p99', value: percentile(after_break_ms, 99), unit: 'ms' },
    {
      name: 'streams, messages lost',
      value: lost,
      unit: '',
      most: 0,
      note: `of ${sent.length} confirmed, ${breaks} breaks, one kill -9`,
    },
    { name: 'streams, messages doubled', value: doubled, unit: '', most: 0 },
    {
      name: 'streams, out of order or with a hole',
      value: faults.length,
      unit: '',
      most: 0,
      ...(faults.length > 0 ? { note: faults.slice(0, 3).join(', ') } : {}),
    },
    { name: 'streams, memory of one', value: result.stream_kB, unit: 'kB', most: 64 },
    {
      name: 'streams, all back after kill -9',
      value: result.back_ms,
      unit: 'ms',
      most: 10_000,
      note: `the server itself took ${Math.round(result.start_ms)} ms`,
    },
  ]
}

/** Every reader's record against what was confirmed: in its chat, and for staff what was announced in all chats. */
function compare(readers: readonly StreamReader[], sent: readonly Sent[]): { lost: number; doubled: number } {
  const chats = byChat(sent)
  let [lost, doubled] = [0, 0]
  for (const reader of readers) {
    const ids = reader.got.map(({ client_id }) => client_id)
    const had = new Set(ids)
    doubled += ids.length - had.size
    lost += (chats.get(reader.chat_id) ?? []).filter(({ client_id }) => !had.has(client_id)).length
  }
  for (const reader of readers.slice(CUSTOMERS))
    for (const [chat_id, list] of chats) {
      const heard = reader.heard.get(chat_id)?.length ?? 0
      lost += Math.max(0, list.length - heard)
      doubled += Math.max(0, heard - list.length)
    }
  return { lost, doubled }
}

const wasBackSince = (reader: StreamReader, killed: number) => reader.open && backAt(reader, killed) > killed

/** The time when the first stream after the kill was open; 0 for one that the kill has not reached yet. */
const backAt = ({ breaks }: StreamReader, killed: number): number =>
  breaks.find(({ to }) => to > killed && to !== Infinity)?.to ?? 0

async function until(holds: () => boolean, timeout_ms: number, otherwise: string): Promise<void> {
  const deadline = performance.now() + timeout_ms
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(otherwise)
    await sleep(20)
  }
}
