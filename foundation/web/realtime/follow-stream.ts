import { events, STREAM_ENDED } from '#foundation/live-contract.ts'
import { announceAuthError } from '#foundation/web/api/events.ts'
import { expiresSoon, refreshTokens } from '#foundation/web/api/refresh.ts'
import { requestFor } from '#foundation/web/api/request.ts'
import { isSignedIn, storedSession } from '#foundation/web/api/stored-session.ts'
import { readStream, type LiveEvent } from './read-stream.ts'

export type Following = {
  signal: AbortSignal
  /** Behind which event to go on; undefined begins at now. */
  lastId(): string | undefined
  onEvent(event: LiveEvent): void
  /** The server has answered: the way to it is open (again). */
  onOpen(): void
}

/** Keeps the stream open until `signal` says stop: opens it anew when it breaks, with pauses of 0.5 to 10 s. */
export async function followStream(following: Following): Promise<void> {
  const { signal } = following
  for (let failures = 0; !signal.aborted;) {
    const outcome = await openOnce(following)
    if (outcome === 'signed-out' || signal.aborted) return
    failures = outcome === 'was-open' ? 0 : failures + 1
    await pause(failures, signal)
  }
}

type Outcome = 'was-open' | 'failed' | 'signed-out'

async function openOnce({ signal, lastId, onEvent, onOpen }: Following): Promise<Outcome> {
  const token = storedSession.accessToken()
  if (token === null) return 'signed-out'
  if (expiresSoon(token) && (await refreshTokens(token)) === 'unreachable') return 'failed'
  const used = storedSession.accessToken()
  const last_id = lastId()
  const [url, request] = requestFor(events, { headers: last_id ? { 'Last-Event-ID': last_id } : {} })
  let opened = false
  // A connection from before the network went may look open for minutes and never bring another word.
  const stale = new AbortController()
  const over = new AbortController()
  window.addEventListener('online', () => stale.abort(), { signal: over.signal })
  const either = AbortSignal.any([signal, stale.signal])
  try {
    const response = await fetch(url, { ...request, signal: either })
    if (response.status === 401) return await afterRefusal(used)
    if (!response.ok || !response.body) return 'failed'
    opened = true
    onOpen()
    await readStream(response.body, either, (event) => {
      if (event.type !== STREAM_ENDED) onEvent(event)
    })
  } catch {
    // The network went, the server restarts, or nothing was heard for too long: once more, after a pause.
  } finally {
    over.abort()
  }
  return opened ? 'was-open' : 'failed'
}

/** The stream is refused like any call (row A-10): one silent refresh, and if that is refused the session is over. */
async function afterRefusal(used: string | null): Promise<Outcome> {
  const refreshed = await refreshTokens(used)
  if (refreshed !== 'refused') return 'failed'
  if (isSignedIn()) announceAuthError()
  return 'signed-out'
}

/** 0.5 to 1 s, then half as long again each time up to 10 s: at random, so that not all meet a restarted server at once. */
async function pause(failures: number, signal: AbortSignal): Promise<void> {
  const most_ms = Math.min(10_000, 1000 * 1.5 ** failures)
  const over = new AbortController()
  await new Promise<void>((resolve) => {
    setTimeout(resolve, most_ms * (0.5 + Math.random() / 2))
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    window.addEventListener('online', () => resolve(), { signal: over.signal })
  })
  over.abort()
}
