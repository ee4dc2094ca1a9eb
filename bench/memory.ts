import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '#foundation/must.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { inParallel } from './in-parallel.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { residentOf } from './resident.ts'

const STREAMS = 5_000
/** The streams of one account; the server allows no more. */
const STREAMS_EACH = 8
/** V8 gives back the memory of the start only after some time without work. */
const SETTLED_MS = 60_000

/** Measures the memory of one process that serves and does jobs: idle, and for each of 5,000 open streams. */
export async function measureMemory(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'all', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  const stop = new AbortController()
  try {
    await sleep(SETTLED_MS)
    const idle_kB = residentOf(product.pid)
    const count = { customers: STREAMS / STREAMS_EACH, staff: 1 }
    const { customers } = await signInMany({ url: product.url, dataDir, settings }, count)
    const before_kB = residentOf(product.pid)
    const open = openStreams(product.url, customers, stop.signal)
    await open.all
    await sleep(SETTLED_MS)
    const note = `${STREAMS} streams of ${customers.length} accounts`
    return [
      {
        name: 'memory, idle, besides PostgreSQL',
        value: idle_kB / 1024,
        unit: 'MB',
        most: 150,
        note: 'web and jobs',
      },
      {
        name: 'memory, each stream',
        value: (residentOf(product.pid) - before_kB) / STREAMS,
        unit: 'kB',
        most: 20,
        note,
      },
      { name: 'memory, streams that ended by themselves', value: open.ended(), unit: '', most: 0, note },
    ]
  } finally {
    stop.abort()
    await product.stop()
    remove()
  }
}

/** Opens the streams and reads their events, as open pages do. */
function openStreams(url: string, customers: readonly Customer[], signal: AbortSignal) {
  let ended = 0
  const all = inParallel(20, STREAMS, async (place) => {
    const { api } = must(customers[place % customers.length])
    const headers = { authorization: `Bearer ${must(api.access_token)}` }
    const reply = await fetch(`${url}/api/events/`, { headers, signal })
    if (reply.status !== 200) throw new Error(`a stream answers ${reply.status}`)
    void drain(must(reply.body)).finally(() => (ended += 1))
  })
  return { all, ended: () => ended }
}

async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body) continue
  } catch {
    // The stream is cut at the end.
  }
}
