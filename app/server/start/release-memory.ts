import { performance } from 'node:perf_hooks'
import v8 from 'node:v8'
import vm from 'node:vm'
import type { App } from '#foundation/server/app.ts'
import { countStreams } from '#foundation/server/realtime/hub.ts'

// After this time the first requests have compiled their code, and the collection does not delay the start, for which somebody waits.
const AFTER_MS = 5_000

/**
 * Releases the memory that only the start needed: compiled code that is no longer used, and a young generation that grew large. V8
 * would keep this memory, 45 to 50 MB, as long as a quiet process allocates little. It costs 0.2 s of a core, once.
 */
export function releaseMemoryOfStart(): void {
  setTimeout(collectAll, AFTER_MS).unref()
}

const LOOK_MS = 10_000
/** A process that works for a smaller share of its time counts as quiet. 5,000 idle streams take a twentieth of the time. */
const QUIET = 0.1
/** Fewer streams leave too little memory behind to be worth a collection, which blocks the process. */
const MANY_STREAMS = 1_000

/**
 * Releases memory after many streams have opened at once, as after a restart, and then stayed open: opening them leaves behind as much
 * memory as the streams take themselves. A process whose streams come and go as usual is left alone.
 */
export function releaseMemoryOfStorms(app: App): void {
  const isDue = watchStorms()
  let before = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    // A collection blocks the process, with 5,000 streams for a quarter of a second, so it runs only in a quiet process.
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
