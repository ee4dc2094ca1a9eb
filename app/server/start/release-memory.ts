import { performance } from 'node:perf_hooks'
import v8 from 'node:v8'
import vm from 'node:vm'
import type { App } from '#foundation/server/app.ts'
import { countStreams } from '#foundation/server/realtime/hub.ts'

// The first requests have compiled what they need; and the start itself, which somebody waits for, takes no longer.
const AFTER_MS = 5_000

/**
 * Releases the memory that only the start needed: what was compiled and thrown away, and a young generation that grew large. V8 keeps
 * it, 45 to 50 MB, as long as a quiet process allocates little. Costs 0.2 s of a core, once; under load the heap grows as before.
 */
export function releaseMemoryOfStart(): void {
  setTimeout(collectAll, AFTER_MS).unref()
}

const LOOK_MS = 10_000
/** The share of its time for which a process may work that counts as quiet. 5,000 streams to which nothing happens take a twentieth. */
const QUIET = 0.1
/** Fewer do not leave enough behind to hold up everybody for it. */
const MANY_STREAMS = 1_000

/**
 * The same where many streams have opened at once, as after a restart, and now stay: opening them leaves behind as much as they
 * themselves take. A process whose streams come and go as always is left alone.
 */
export function releaseMemoryOfStorms(app: App): void {
  const isDue = watchStorms()
  let before = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    // All wait for it, a quarter of a second with 5,000 streams: messages must not.
    if (utilization < QUIET && isDue(countStreams(app))) collectAll()
  }, LOOK_MS).unref()
}

/** Tells from the numbers of open streams, look by look, when many that had opened have settled. */
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
