import type { App } from '#foundation/server/app.ts'

type Window = { count: number; ends_at: number }

/** The windows of each length, in the order in which they began and, as all of one length do, end. */
type Windows = Map<number, Map<string, Window>>

const windows = new WeakMap<App['pool'], Windows>()

/** Counts an attempt in the memory of this process, in windows that begin with their first attempt. */
export function countHere(app: App, bucket: Buffer, limit: number, window_ms: number) {
  const all: Windows = windows.get(app.pool) ?? new Map()
  windows.set(app.pool, all)
  const known = all.get(window_ms) ?? new Map<string, Window>()
  all.set(window_ms, known)
  const now = performance.now()
  for (const ofOneLength of all.values()) forgetOver(ofOneLength, now)
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
 * Removes the windows of one length that ended: each call stops at the first open window. With 20,000 licences that are asked for, a walk
 * through all windows took longer than the call itself.
 */
function forgetOver(known: Map<string, Window>, now: number): void {
  for (const [key, { ends_at }] of known) {
    if (ends_at > now) return
    known.delete(key)
  }
}

/** The number of windows that this process keeps. */
export const windowsHere = ({ pool }: Pick<App, 'pool'>): number =>
  [...(windows.get(pool)?.values() ?? [])].reduce((sum, { size }) => sum + size, 0)
