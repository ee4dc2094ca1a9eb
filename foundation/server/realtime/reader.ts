import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { withBodies } from './bodies.ts'
import { positionsOf } from './cursor.ts'
import { positionKey, readFor, type Position } from './queries.ts'
import { advance, type Stream } from './stream.ts'

const READ_LIMIT = 200
const BATCH = 1000
/** Statements, each on a connection. */
const AT_ONCE = 2

type Looks = {
  looksAt: (stream: Stream, room: string) => boolean
  isWatched: (room: string) => boolean
}

/**
 * Reads for the streams that may have new events, each stream in one statement at a time; one named meanwhile is in the next. Beside the
 * first statement there may be a second: what happens to others need not wait for the bodies that one fetches.
 */
export function startReader(
  app: App,
  looks: Looks,
): { read(streams: Iterable<Stream>): void; idle(): Promise<void> } {
  const waiting = new Set<Stream>()
  const taken = new Set<Stream>()
  const working = new Set<Promise<void>>()
  let places = AT_ONCE

  function take(): Stream[] {
    const batch: Stream[] = []
    for (const stream of waiting) {
      if (taken.has(stream)) continue
      batch.push(stream)
      if (batch.length === BATCH) break
    }
    for (const stream of batch) {
      waiting.delete(stream)
      taken.add(stream)
    }
    return batch
  }

  async function work(first: Stream[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = take()) {
      try {
        for (const stream of await readBatch(app, batch, looks)) waiting.add(stream)
      } catch (error) {
        // The database is away: streams stay open, and the next check reads on from where they are.
        app.log.debug({ err: error }, 'live: cannot read')
      }
      for (const stream of batch) taken.delete(stream)
    }
    // Before anything else runs: a stream that is named next must find the place free.
    places += 1
  }

  function begin(): void {
    while (places > 0) {
      const batch = take()
      if (batch.length === 0) return
      places -= 1
      const running = work(batch).finally(() => working.delete(running))
      working.add(running)
    }
  }

  return {
    read(streams) {
      for (const stream of streams) waiting.add(stream)
      begin()
    },
    idle: async () => void (await Promise.all(working)),
  }
}

/** Answers the streams that have more to read. */
async function readBatch(
  app: App,
  batch: readonly Stream[],
  { looksAt, isWatched }: Looks,
): Promise<Stream[]> {
  // Most readers of a topic are at the same position: it is read, and its bodies are, once for all of them.
  const positions = new Map<string, Position>()
  const standing = batch.map((stream) => positionsOf(stream.after ?? START, stream))
  for (const position of standing.flat()) positions.set(positionKey(position), position)
  const wanted = [...positions.values()]
  const { rights, readings, written } = await readFor(app, batch, wanted, READ_LIMIT)
  const found = await withBodies(app, wanted, readings, isWatched)
  const unfinished: Stream[] = []
  for (const one of rights) {
    const stream = must(batch[one.place - 1])
    const [own, staff] = must(standing[one.place - 1]).map((position) => found.get(positionKey(position)))
    const news = {
      rights: one,
      own: must(own),
      staff,
      limit: READ_LIMIT,
      written,
      looksAt: (room: string) => looksAt(stream, room),
    }
    if (advance(stream, news)) unfinished.push(stream)
  }
  return unfinished
}

const START = { own: undefined, staff: undefined }
