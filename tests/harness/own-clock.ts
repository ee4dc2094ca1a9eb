/**
 * Starts a stopwatch by the timers of this process. Returns a function that stops it and returns the milliseconds: where a busy machine lets a
 * tick come late, it delays this clock as it delays the product, whose own loops are judged by it.
 */
export function ownClock(): () => number {
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), TICK_MS)
  return () => {
    clearInterval(timer)
    return ticks * TICK_MS
  }
}

const TICK_MS = 50
