import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { withBodies } from './bodies.ts'
import { positionsOf } from './cursor.ts'
import { positionKey, readFor, type Position } from './queries.ts'
import { advance, type Stream } from './stream.ts'

const READ_LIMIT = 200
const BATCH = 1000

type Looks = {
  looksAt: (stream: Stream, room: string) => boolean
  isWatched: (room: string) => boolean
}

/** Reads for the streams that may have new events, one statement at a time; a stream named meanwhile is in the next one. */
export function startReader(
  app: App,
  looks: Looks,
): { read(streams: Iterable<Stream>): void; idle(): Promise<void> } {
  const waiting = new Set<Stream>()
  let reading: Promise<void> | undefined

  async function work(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, BATCH)
      for (const stream of batch) waiting.delete(stream)
      try {
        for (const stream of await readBatch(app, batch, looks)) waiting.add(stream)
      } catch (error) {
        // The database is away: streams stay open, and the next check reads on from where they are.
        app.log.debug({ err: error }, 'live: cannot read')
      }
    }
    reading = undefined
  }

  return {
    read(streams) {
      for (const stream of streams) waiting.add(stream)
      if (waiting.size > 0) reading ??= work()
    },
    idle: async () => reading,
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
