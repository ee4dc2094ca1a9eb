import type { App } from '#foundation/server/app.ts'

type Window = { count: number; ends_at: number }

const windows = new WeakMap<App, Map<string, Window>>()
/** Expired counts are removed when there are this many. */
const MOST = 10_000

/** Counts an attempt in the memory of this process, in windows that begin with their first one. */
export function countHere(app: App, bucket: Buffer, limit: number, window_ms: number) {
  const known = windows.get(app) ?? new Map<string, Window>()
  windows.set(app, known)
  const now = performance.now()
  if (known.size >= MOST) for (const [key, { ends_at }] of known) if (ends_at <= now) known.delete(key)
  const key = bucket.toString('base64')
  const present = known.get(key)
  const window = present && present.ends_at > now ? present : { count: 0, ends_at: now + window_ms }
  known.set(key, window)
  const allowed = window.count < limit
  if (allowed) window.count += 1
  const release = async () => void (window.count -= 1)
  return { allowed, retry_after_s: Math.ceil((window.ends_at - now) / 1000), release }
}
