import { must } from '#foundation/must.ts'

type Waiting<Key, Row> = {
  key: Key
  resolve: (row: Row | undefined) => void
  reject: (error: unknown) => void
}
type Queue<Key, Row> = { waiting: Waiting<Key, Row>[]; running: number; scheduled: boolean }

const AT_ONCE = 2
const MOST_KEYS = 200

/**
 * Reads single rows for many requests by one statement: the rows asked for within one turn of the event loop, or while two statements are
 * on their way, are read together. At 50 busy connections this halves the processor time of a request (see docs/decisions). A row is never
 * older than the question: a caller who asks while a statement runs waits for the next statement. `read` runs the statement in a context
 * (the app, or a transaction); each context has a queue of its own.
 */
export function batched<Context extends object, Key, Row>(
  read: (context: Context, keys: readonly Key[]) => Promise<ReadonlyMap<Key, Row>>,
): (context: Context, key: Key) => Promise<Row | undefined> {
  const queues = new WeakMap<Context, Queue<Key, Row>>()

  function schedule(context: Context, queue: Queue<Key, Row>): void {
    if (queue.scheduled || queue.running >= AT_ONCE || queue.waiting.length === 0) return
    queue.scheduled = true
    setImmediate(() => void run(context, queue))
  }

  async function run(context: Context, queue: Queue<Key, Row>): Promise<void> {
    queue.scheduled = false
    queue.running += 1
    const batch = queue.waiting.splice(0, MOST_KEYS)
    schedule(context, queue)
    try {
      const rows = await read(context, [...new Set(batch.map(({ key }) => key))])
      for (const { key, resolve } of batch) resolve(rows.get(key))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    queue.running -= 1
    schedule(context, queue)
  }

  return (context, key) =>
    new Promise((resolve, reject) => {
      let queue = queues.get(context)
      if (!queue) queues.set(context, (queue = { waiting: [], running: 0, scheduled: false }))
      queue.waiting.push({ key, resolve, reject })
      schedule(context, queue)
    })
}

/** Reads the rows of several keys by a batched read; keys without a row are left out. */
export async function readAll<Context extends object, Key, Row>(
  read: (context: Context, key: Key) => Promise<Row | undefined>,
  context: Context,
  keys: readonly Key[],
): Promise<Map<Key, Row>> {
  const rows = new Map<Key, Row>()
  await Promise.all(
    [...new Set(keys)].map(async (key) => {
      const row = await read(context, key)
      if (row !== undefined) rows.set(key, row)
    }),
  )
  return rows
}

/**
 * Batches writes as `batched` batches reads: each call adds one row, and gets the result for that row. Calls made at the same time in one
 * transaction share one statement for each writing function.
 */
export function batchedRows<Context extends object, Row, Result>(
  write: (context: Context, rows: readonly Row[]) => Promise<readonly Result[]>,
): (context: Context, row: Row) => Promise<Result> {
  const ask = batched<Context, { row: Row }, { result: Result }>(async (context, calls) => {
    const results = await write(
      context,
      calls.map(({ row }) => row),
    )
    return new Map(calls.map((call, place) => [call, { result: resultAt(results, place) }]))
  })
  return async (context, row) => must(await ask(context, { row })).result
}

/** Returns the result of one row; undefined if `write` returns no results, because its `Result` is void. */
function resultAt<Result>(results: readonly Result[], place: number): Result
function resultAt(results: readonly unknown[], place: number): unknown {
  return results[place]
}

/**
 * Waits for several acts of one transaction that run at the same time. Throws the first error of the list, but only when all of them have
 * ended.
 */
export async function atOnce<T>(acts: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(acts)
  return ended.map((act) => {
    if (act.status === 'rejected') throw act.reason
    return act.value
  })
}
