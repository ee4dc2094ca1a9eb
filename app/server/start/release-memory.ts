import { performance } from 'node:perf_hooks'
import v8 from 'node:v8'
import vm from 'node:vm'
import type { App } from '#foundation/server/app.ts'
import { countStreams } from '#foundation/server/realtime/hub.ts'

// By then the first requests have compiled their code, and the start, which somebody waits for, is not delayed.
const AFTER_MS = 5_000

/**
 * Releases the memory that only the start needed: what was compiled and thrown away, and a young generation that grew large. V8 keeps
 * it, 45 to 50 MB, as long as a quiet process allocates little. Costs 0.2 s of a core, once; under load the heap grows as before.
 */
export function releaseMemoryOfStart(): void {
  setTimeout(collectAll, AFTER_MS).unref()
}

const LOOK_MS = 10_000
/** A process that works for a smaller share of its time counts as quiet. 5,000 streams to which nothing happens take a twentieth. */
const QUIET = 0.1
/** Fewer streams do not leave enough memory behind to hold up everybody for a collection. */
const MANY_STREAMS = 1_000

/**
 * Releases memory after many streams have opened at once, as after a restart, and then stayed: opening them leaves behind as much
 * memory as they take themselves. A process whose streams come and go as usual is left alone.
 */
export function releaseMemoryOfStorms(app: App): void {
  const isDue = watchStorms()
  let before = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    // Everybody waits for a collection, a quarter of a second with 5,000 streams, so none runs while messages are sent.
    if (utilization < QUIET && isDue(countStreams(app))) collectAll()
  }, LOOK_MS).unref()
}

/** Returns a function that gets the number of open streams at each look, and returns true once many new streams have settled. */
export function watchStorms(): (open: number) => boolean {
  let before = 0
  let released = 0
  return (open) => {
    const hasSettled = Math.abs(open - before) < open / 20
    before = open
    released = Math.min(released, open)
    if (!hasSettled || open < 2 * released + MANY_STREAMS) return false
    released = open
    return true
  }
}

function collectAll(): void {
  v8.setFlagsFromString('--expose-gc')
  vm.runInNewContext("gc({ type: 'major', flavor: 'last-resort' })")
  v8.setFlagsFromString('--no-expose-gc')
}
