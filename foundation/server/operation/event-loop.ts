import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolution_ms = 10
const window_ms = 500

let started = false
let delay_ms = 0

/**
 * Returns how long, in ms, the process lately kept a due timer waiting: the mean over the last half second. Above a few hundred, answers
 * come later than anybody waits for, and new work only makes it worse.
 */
export function eventLoopDelay_ms(): number {
  if (!started) start()
  return delay_ms
}

function start(): void {
  started = true
  const monitor = monitorEventLoopDelay({ resolution: resolution_ms })
  monitor.enable()
  setInterval(() => {
    // The monitor counts its own sampling interval as delay.
    const mean_ms = monitor.mean / 1e6 - resolution_ms
    delay_ms = Number.isFinite(mean_ms) ? Math.max(0, mean_ms) : 0
    monitor.reset()
  }, window_ms).unref()
}
