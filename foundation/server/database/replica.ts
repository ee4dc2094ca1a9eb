import type { Kysely } from 'kysely'
import pg from 'pg'
import { parsePosition } from '#foundation/read-after.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import type { Log } from '#foundation/server/log.ts'
import { createDb, createPool, limits, optionsOf, type PoolSettings } from './pool.ts'
import { assertReplica, replayedPosition, writtenPosition } from './replica-queries.ts'
import type { Database } from './tables.ts'

/** A standby of PostgreSQL that answers lists, searches and reports (DATABASE_READ_URL). */
export type Replica = {
  /** Returns the connections of the replica if a caller who knows of changes up to `position` may read it now; undefined otherwise. */
  readableFrom(position: bigint): Kysely<Database> | undefined
  /** The greatest age that the rows of the replica may have, in seconds; undefined while the replica is not reachable. */
  lag_s: () => number | undefined
  close(): Promise<void>
}

/** A replica that is further behind is not read: a list must not be older than what people take for now. */
export const MOST_LAG_S = 5
const CHECK_MS = 250
const SAMPLE_MS = 1000
const SAMPLES = 60
/** A measurement that is older says nothing any more: the network to the replica may be down. */
const TRUSTED_MS = 1000
const LOOK_AGAIN_MS = 1000

/**
 * Follows the replica over one lasting connection. After a break the replica is not read until the next connection has measured it: a
 * standby that starts again may be further behind than before. The age of its rows is measured by positions of the primary and the times at
 * which they were read, not by the clocks of two machines.
 */
export function openReplica(primary: Kysely<Database>, settings: PoolSettings & { tell: Tell }): Replica {
  const db = createDb(createPool(settings), settings.url)
  const { tell } = settings
  const over = new AbortController()
  let samples: { at_ms: number; position: bigint }[] = []
  let reached_ms = -Infinity
  let seen: { at_ms: number; replayed: bigint } | undefined

  const sample = async () => {
    const at_ms = performance.now()
    const position = parsePosition(await writtenPosition(primary).catch(() => undefined))
    if (position !== undefined) samples = [...samples, { at_ms, position }].slice(-SAMPLES)
  }
  const lag_s = () =>
    seen && performance.now() - seen.at_ms < TRUSTED_MS ? (performance.now() - reached_ms) / 1000 : undefined
  const isUsable = () => (lag_s() ?? Infinity) < MOST_LAG_S

  const see = (at_ms: number, replayed: bigint) => {
    seen = { at_ms, replayed }
    reached_ms = samples.findLast(({ position }) => position <= replayed)?.at_ms ?? reached_ms
    samples = samples.filter(({ position }) => position > replayed)
    tell(isUsable() ? undefined : `it is more than ${MOST_LAG_S} s behind`)
  }
  const follow = async () => {
    await withClient(settings, over.signal, async (client) => {
      client.on('end', () => (seen = undefined))
      await assertReplica(client, primary, `${limits.lock_s}s`)
      while (!over.signal.aborted) {
        const at_ms = performance.now()
        const replayed = await replayedPosition(client)
        if (replayed === undefined) throw new Error('it is no standby any more')
        see(at_ms, replayed)
        await pause(CHECK_MS, over.signal)
      }
    })
  }

  const sampling = setInterval(() => void sample(), SAMPLE_MS)
  sampling.unref()
  const following = (async () => {
    await sample()
    while (!over.signal.aborted) {
      await follow().catch((error: unknown) => {
        if (!over.signal.aborted) tell(errorLines(error).join(' '))
      })
      seen = undefined
      await pause(LOOK_AGAIN_MS, over.signal)
    }
  })()

  return {
    readableFrom: (position) => (isUsable() && seen && position <= seen.replayed ? db : undefined),
    lag_s,
    async close() {
      over.abort()
      clearInterval(sampling)
      await following
      await db.destroy()
    },
  }
}

/** Called again and again with the reason why the replica is not read; undefined while it is read. */
type Tell = (reason: string | undefined) => void

/** Logs each change once. */
export function logReplica(log: Log): Tell {
  let said: string | undefined
  return (reason) => {
    if (reason === said) return
    said = reason
    if (reason === undefined) log.info('the replica of DATABASE_READ_URL is read again')
    else log.warn({ reason }, 'the replica of DATABASE_READ_URL is not read; DATABASE_URL answers instead')
  }
}

async function withClient(
  { url, role }: PoolSettings,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    options: optionsOf(role),
    connectionTimeoutMillis: 2000,
    query_timeout: 2000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    if (!signal.aborted) await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms).unref()
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
