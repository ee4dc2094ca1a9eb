import { setImmediate } from 'node:timers/promises'
import { STREAM_ENDED } from '#foundation/live-contract.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { withBodies } from './bodies.ts'
import { positionsOf } from './cursor.ts'
import { positionKey, readFor } from './queries.ts'
import { questionOf, type Question } from './questions.ts'
import { advance, endStream, message, type Stream } from './stream.ts'

const READ_LIMIT = 200
const BATCH = 1000
/** The number of batches at once. Each takes one connection, or two for bodies; the pool has twelve on two cores. */
const AT_ONCE = 3

type Looks = {
  looksAt: (stream: Stream, room: string) => boolean
  isWatched: (room: string) => boolean
}

/**
 * Reads for the streams that may have new events. A stream is in one batch at a time; if it is passed to `read` meanwhile, it is in a later
 * batch too. Several batches run at once, so that the events of some streams need not wait for the bodies of others, nor for a check.
 */
export function startReader(
  app: App,
  looks: Looks,
): { read(streams: Iterable<Stream>): void; idle(): Promise<void> } {
  // The marks of a stream (it waits, it is taken) are fields of the stream: sets that fill and empty each second would leave most of the
  // garbage of a quiet process.
  let waiting: Stream[] = []
  const working = new Set<Promise<void>>()
  let places = AT_ONCE

  function wait(stream: Stream): void {
    if (stream.reading.isWaiting) return
    stream.reading.isWaiting = true
    waiting.push(stream)
  }

  function take(): Stream[] {
    const batch: Stream[] = []
    const left: Stream[] = []
    for (const stream of waiting) {
      const { reading } = stream
      if (reading.isTaken || batch.length === BATCH) {
        left.push(stream)
        continue
      }
      batch.push(stream)
      reading.isWaiting = false
      reading.isTaken = true
    }
    waiting = left
    return batch
  }

  async function work(first: Stream[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = take()) {
      try {
        for (const stream of await readBatch(app, batch, looks)) wait(stream)
      } catch (error) {
        // The database is away: streams stay open, and the next check reads on from where they are.
        app.log.debug({ err: error }, 'live: cannot read')
      }
      for (const { reading } of batch) reading.isTaken = false
    }
    // The place for a batch becomes free before anything else runs: a stream that is passed to `read` next must find it.
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

  // A commit signals each of its topics: customer, staff, a bell. The signals arrive together, so their streams are read together.
  const soon = afterThisMoment(begin)
  return {
    read(streams) {
      for (const stream of streams) wait(stream)
      soon.run()
    },
    async idle() {
      await soon.done()
      await Promise.all(working)
    },
  }
}

/** Runs `act` once for all calls of `run` in one turn of the event loop, after that turn. */
function afterThisMoment(act: () => void): { run(): void; done(): Promise<void> } {
  let coming: Promise<void> | undefined
  const runLater = async () => {
    await setImmediate()
    coming = undefined
    act()
  }
  return { run: () => void (coming ??= runLater()), done: async () => coming }
}

/** Reads a batch and sends its events; returns the streams that have more to read. */
async function readBatch(
  app: App,
  batch: readonly Stream[],
  { looksAt, isWatched }: Looks,
): Promise<Stream[]> {
  const questions = batch.map(questionBy)
  const { ended, readings, written } = await readFor(app, questions, READ_LIMIT)
  for (const place of ended) endStream(must(batch[place - 1]), message(STREAM_ENDED))
  const unfinished: Stream[] = []
  if (readings.length === 0) return unfinished
  // Most readers of a topic are at the same position: its events and their bodies are read once for all of them.
  const found = await withBodies(app, readings, isWatched)
  for (const stream of batch) {
    const [own, staff] = standing(stream).map((position) => found.get(positionKey(position)))
    if (!own && !staff) continue
    const looks = (room: string) => looksAt(stream, room)
    if (advance(stream, { own, staff, limit: READ_LIMIT, written, looksAt: looks })) unfinished.push(stream)
  }
  return unfinished
}

/** Returns the last question of the stream, or a new one where the stream has moved since. */
function questionBy(stream: Stream): Question {
  const { reading, after } = stream
  if (reading.question === undefined || reading.at !== after) {
    reading.at = after
    reading.question = questionOf(stream, standing(stream))
  }
  return reading.question
}

const standing = (stream: Stream) => positionsOf(stream.after ?? START, stream)
const START = { own: undefined, staff: undefined }
