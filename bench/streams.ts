import { postMessage } from '#features/support/messages/contract.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTicket } from '#features/support/tickets/contract.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { makeDataDir, startProduct, type Product } from '#tests/system/product-process.ts'
import { inParallel } from './in-parallel.ts'
import type { Figure } from '#tools/figures/table.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { residentOf } from './resident.ts'
import { backAfterKill, deliveryFigures, memoryOfOne, recordFigures, type Sent } from './stream-figures.ts'
import { StreamReader } from './stream-reader.ts'
import { must } from '#foundation/must.ts'

const STAFF = 5
const STREAMS_OF_STAFF = 8
const MESSAGES_S = 50
/** A server that has just started compiles its code while the first messages are written: these messages count for losses only. */
const WARM_UP_S = 10
const SECONDS = 60
/** The load is the same for each number of streams. The first number gets it once more, with a kill of the server. */
const runs = [
  { streams: 1000, most_ms: 30, seconds_with_kill: 30 },
  { streams: 5000, most_ms: 60, seconds_with_kill: 0 },
]
type Run = (typeof runs)[number]

/**
 * Measures 1,000 streams, then 5,000: 50 messages a second to and from customers, of which all of the staff are notified; each second, a
 * hundredth of the streams is cut. With 1,000 streams the load is repeated with a kill -9 of the server and its PostgreSQL in the middle.
 * `only` names one number of streams.
 */
export async function measureStreams(only?: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const run of runs)
    if (only === undefined || Number(only) === run.streams) figures.push(...(await measureRun(run)))
  return figures
}

async function measureRun(run: Run): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = {
    ...production,
    NODE_ENV: 'production',
    ROLE: 'web',
    RATE_LIMIT_SCALE: '1000000',
    PORT: String(await freePort()),
  }
  const server = { product: await startProduct({ dataDir, settings }) }
  const readers: StreamReader[] = []
  try {
    const { url, pid } = server.product
    const customers = run.streams - STAFF * STREAMS_OF_STAFF
    const people = await signInMany({ url, dataDir, settings }, { customers, staff: STAFF })
    const chats = await openChats(people.customers)
    const before_kB = residentOf(pid)
    readers.push(...readersOf(people, chats))
    const following = await followAll(readers)
    await sleep(3000)
    const stream_kB = (residentOf(pid) - before_kB) / run.streams

    const sent = await writeFor(WARM_UP_S, people, chats, readers)
    const since = performance.now()
    sent.push(...(await writeFor(SECONDS, people, chats, readers)))
    await settled(readers, sent)
    const heardBy = readers.slice(customers)
    const note = `${run.streams} streams, ${MESSAGES_S} messages/s, ${SECONDS} s after ${WARM_UP_S} s, 1 % cut a second`
    const figures = deliveryFigures({ readers, heardBy, sent, since, most_ms: run.most_ms, note })
    if (run.seconds_with_kill > 0) {
      const [more, back] = await Promise.all([
        writeFor(run.seconds_with_kill, people, chats, readers),
        killAndStart(server, () => startProduct({ dataDir, settings }), readers),
      ])
      sent.push(...more)
      await settled(readers, sent)
      figures.push(back)
    }
    for (const reader of readers) reader.stop()
    await Promise.all(following)
    figures.push(...recordFigures({ readers, heardBy, sent }), memoryOfOne(stream_kB))
    return figures.map((figure) => ({ ...figure, name: `${run.streams} streams, ${figure.name}` }))
  } finally {
    for (const reader of readers) reader.stop()
    await server.product.stop()
    remove()
  }
}

/** Opens all streams, 50 at a time: the system keeps fewer than 5,000 connections waiting. Returns promises of the streams' ends. */
async function followAll(readers: readonly StreamReader[]): Promise<Promise<void>[]> {
  const following: Promise<void>[] = []
  await inParallel(50, readers.length, async (place) => {
    const reader = must(readers[place])
    following.push(reader.follow())
    await until(() => reader.open, 60_000, 'streams do not open')
  })
  return following
}

async function killAndStart(
  server: { product: Product },
  start: () => Promise<Product>,
  readers: readonly StreamReader[],
): Promise<Figure> {
  await sleep(8000)
  const killed = performance.now()
  await server.product.kill()
  server.product = await start()
  await until(
    () => readers.every((reader) => reader.open && reader.backAt(killed) > 0),
    60_000,
    'not all are back',
  )
  const back_ms = Math.max(...readers.map((reader) => reader.backAt(killed) - killed))
  return backAfterKill(back_ms, server.product.start_ms)
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

/** Makes the readers: each customer reads their own chat; each stream of staff is notified of all chats and has one chat open. */
function readersOf({ customers, staff }: People, chats: readonly string[]): StreamReader[] {
  const own = customers.map(({ api }, place) => new StreamReader(api, must(chats[place]), 1))
  const desks = staff.flatMap(({ api }, person) =>
    Array.from(
      { length: STREAMS_OF_STAFF },
      (_, tab) => new StreamReader(api, must(chats[person * STREAMS_OF_STAFF + tab]), 1, { asStaff: true }),
    ),
  )
  return [...own, ...desks]
}

/** Posts fifty messages a second, each repeatedly until it is confirmed, as the outbox does, and cuts streams at random. */
async function writeFor(
  seconds: number,
  { customers, staff }: People,
  chats: readonly string[],
  readers: readonly StreamReader[],
): Promise<Sent[]> {
  const cuts_s = readers.length / 100
  let cut = 0
  const saying: Promise<Sent>[] = []
  const begun = performance.now()
  for (let count = 0; count < seconds * MESSAGES_S; count += 1) {
    await sleep(Math.max(0, begun + (count * 1000) / MESSAGES_S - performance.now()))
    const place = Math.floor(Math.random() * chats.length)
    const author = count % 2 === 0 ? must(customers[place]) : must(staff[count % staff.length])
    saying.push(sayUntilConfirmed(author, must(chats[place])))
    for (; cut < (count / MESSAGES_S) * cuts_s; cut += 1)
      must(readers[Math.floor(Math.random() * readers.length)]).cut()
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

/** Waits until every reader has the confirmed messages of its chat. */
async function settled(readers: readonly StreamReader[], sent: readonly Sent[]): Promise<void> {
  const last = new Map<string, number>()
  for (const { chat_id, seq } of sent) last.set(chat_id, Math.max(seq, last.get(chat_id) ?? 0))
  const isWhole = (reader: StreamReader) => reader.open && reader.last_seq >= (last.get(reader.chat_id) ?? 0)
  // A message that is still missing after 30 s counts as lost.
  await until(() => readers.every(isWhole), 30_000, '').catch(() => undefined)
}

async function until(holds: () => boolean, timeout_ms: number, otherwise: string): Promise<void> {
  const deadline = performance.now() + timeout_ms
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(otherwise)
    await sleep(20)
  }
}
