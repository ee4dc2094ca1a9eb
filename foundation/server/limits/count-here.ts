import type { App } from '#foundation/server/app.ts'

type Window = { count: number; ends_at: number }

const windows = new WeakMap<App['pool'], Map<string, Window>>()

/** Counts an attempt in the memory of this process, in windows that begin with their first attempt. */
export function countHere(app: App, bucket: Buffer, limit: number, window_ms: number) {
  const known = windows.get(app.pool) ?? new Map<string, Window>()
  windows.set(app.pool, known)
  const now = performance.now()
  forgetOver(known, now)
  const key = bucket.toString('base64')
  let window = known.get(key)
  if (!window || window.ends_at <= now) {
    window = { count: 0, ends_at: now + window_ms }
    // The window moves to the end of the map, where it belongs by its time.
    known.delete(key)
    known.set(key, window)
  }
  const present = window
  const allowed = present.count < limit
  if (allowed) present.count += 1
  const release = async () => void (present.count -= 1)
  return {
    allowed,
    remaining: limit - present.count,
    retry_after_s: Math.ceil((present.ends_at - now) / 1000),
    release,
  }
}

/**
 * Removes the windows that ended. The map has them in the order in which they began and, as all have one length, end: each call stops at
 * the first open window. With 20,000 licences that are asked for, a walk through all windows took longer than the call itself.
 */
function forgetOver(known: Map<string, Window>, now: number): void {
  for (const [key, { ends_at }] of known) {
    if (ends_at > now) return
    known.delete(key)
  }
}
