import { messageOf } from '#foundation/server/error-code.ts'
import type { Log } from '#foundation/server/log.ts'

type Outage = { last_ms: number; more: number; timer?: NodeJS.Timeout }

const outages = new WeakMap<object, Outage>()

/**
 * Logs that something failed because of the database: one line at once, and then one line each 5 s that counts the others. While the
 * database is away every request fails in the same way, and a line with a stack for each would bury other lines.
 */
export function logUnavailable({ log }: { log: Log }, what: Record<string, unknown>, error: unknown): void {
  const outage = outages.get(log) ?? { last_ms: Number.NEGATIVE_INFINITY, more: 0 }
  outages.set(log, outage)
  const write = (more: number) => {
    outage.last_ms = performance.now()
    outage.more = 0
    log.warn(
      { ...what, reason: messageOf(error), ...(more > 0 && { more }) },
      'turned away: the database is not there or too busy',
    )
  }
  const wait_ms = PAUSE_MS - (performance.now() - outage.last_ms)
  if (wait_ms <= 0) {
    write(outage.more)
    return
  }
  outage.more += 1
  outage.timer ??= setTimeout(() => {
    delete outage.timer
    if (outage.more > 0) write(outage.more - 1)
  }, wait_ms).unref()
}

const PAUSE_MS = 5000
