import { events, STREAM_DISPLACED, STREAM_ENDED } from '#foundation/live-contract.ts'
import { announceAuthError } from '#foundation/web/api/events.ts'
import { expiresSoon, refreshTokens } from '#foundation/web/api/refresh.ts'
import { requestFor } from '#foundation/web/api/request.ts'
import { isSignedIn, storedSession } from '#foundation/web/api/stored-session.ts'
import { readStream, type LiveEvent } from './read-stream.ts'

export type Following = {
  signal: AbortSignal
  /** The id of the event behind which to go on; undefined begins at now. */
  lastId(): string | undefined
  onEvent(event: LiveEvent): void
  /** The server has answered: the way to it is open (again). */
  onOpen(): void
  /** Reports whether events arrive: not after two attempts that failed, or when not even a heartbeat came. */
  onHearing(isHeard: boolean): void
}

/** Ends waiting: whatever is open is opened anew at once. */
export const tryNow = (): boolean => urges.dispatchEvent(new Event(URGE))

const urges = new EventTarget()
const URGE = 'urge'
/** The server sends `ready` at once; where not even that comes, a proxy between keeps the line and forwards nothing. */
const FIRST_SIGN_MS = 8000
/** Heartbeats come each 15 s. */
const SILENCE_MS = 20_000

/** Keeps the stream open until `signal` aborts: opens it anew when it breaks, with pauses of 0.5 to 10 s. */
export async function followStream(following: Following): Promise<void> {
  const { signal } = following
  // Asked anew each time: it may come while something is awaited.
  const isOver = () => signal.aborted
  for (let failures = 0; !isOver();) {
    const outcome = await openOnce(following)
    if (outcome === 'signed-out' || isOver()) return
    failures = outcome === 'was-open' || outcome === 'displaced' ? 0 : failures + 1
    if (failures >= 2 || outcome === 'displaced') following.onHearing(false)
    await pause(outcome === 'displaced' ? DISPLACED_MS : longest(failures), signal)
  }
}

/** The document began to load before anything on it did. */
function sinceLoading(): { 'X-Loaded-Ms'?: string } {
  const ago_ms = Math.ceil(performance.now())
  return ago_ms < 1_000_000 ? { 'X-Loaded-Ms': String(ago_ms) } : {}
}

type Outcome = 'was-open' | 'displaced' | 'failed' | 'signed-out'

async function openOnce({ signal, lastId, onEvent, onOpen, onHearing }: Following): Promise<Outcome> {
  const token = storedSession.accessToken()
  if (token === null) return 'signed-out'
  if (expiresSoon(token) && (await refreshTokens(token)) === 'unreachable') return 'failed'
  const used = storedSession.accessToken()
  const last_id = lastId()
  const [url, request] = requestFor(events, {
    headers: last_id ? { 'Last-Event-ID': last_id } : sinceLoading(),
  })
  const seen = { heard: false, displaced: false }
  // A connection from before the network went may look open for minutes and never bring another word: it ends with the
  // network, and anew when the network is back, for browsers that notice only then.
  const stale = new AbortController()
  const over = new AbortController()
  for (const change of ['offline', 'online'])
    window.addEventListener(change, () => stale.abort(), { signal: over.signal })
  urges.addEventListener(URGE, () => stale.abort(), { signal: over.signal })
  let silence = setTimeout(() => stale.abort(), FIRST_SIGN_MS)
  const onSign = () => {
    seen.heard = true
    onHearing(true)
    clearTimeout(silence)
    silence = setTimeout(() => onHearing(false), SILENCE_MS)
  }
  const either = AbortSignal.any([signal, stale.signal])
  try {
    const response = await fetch(url, { ...request, signal: either })
    if (response.status === 401) return await afterRefusal(used)
    if (!response.ok || !response.body) return 'failed'
    onOpen()
    const tell = (event: LiveEvent) => {
      seen.displaced ||= event.type === STREAM_DISPLACED
      if (event.type !== STREAM_ENDED && !seen.displaced) onEvent(event)
    }
    await readStream(response.body, either, tell, onSign)
  } catch {
    // The network went, the server restarts, or nothing arrived for too long: once more, after a pause.
  } finally {
    clearTimeout(silence)
    over.abort()
  }
  if (seen.displaced) return 'displaced'
  // An answer without a word in it is none: a line that is kept open and forwards nothing must count as failed.
  return seen.heard ? 'was-open' : 'failed'
}

/** The stream is refused like any call (row A-10): one silent refresh, and if that is refused the session is over. */
async function afterRefusal(used: string | null): Promise<Outcome> {
  const refreshed = await refreshTokens(used)
  if (refreshed !== 'refused') return 'failed'
  if (isSignedIn()) announceAuthError()
  return 'signed-out'
}

/**
 * 1 s, then by three tenths longer each time up to 10 s; half of it at least, at random, so that not all meet a restarted server
 * at once. A server that was killed is back in some seconds: a page that asked right before that waits two to three more, not
 * five.
 */
const longest = (failures: number): number => Math.min(10_000, 1000 * 1.3 ** failures)

/** A ninth page has taken the place: with both coming back at once, they would displace each other without end. */
const DISPLACED_MS = 60_000

async function pause(most_ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  await new Promise<void>((resolve) => {
    setTimeout(resolve, most_ms * (0.5 + Math.random() / 2))
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    window.addEventListener('online', () => resolve(), { signal: over.signal })
    urges.addEventListener(URGE, () => resolve(), { signal: over.signal })
  })
  over.abort()
}
