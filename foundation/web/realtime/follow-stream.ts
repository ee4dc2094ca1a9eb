import { events, STREAM_DISPLACED, STREAM_ENDED } from '#foundation/live-contract.ts'
import { announceAuthError } from '#foundation/web/api/events.ts'
import { expiresSoon, refreshTokens } from '#foundation/web/api/refresh.ts'
import { requestFor } from '#foundation/web/api/request.ts'
import {
  isSamePerson,
  seeSession,
  storedSession,
  type SeenSession,
} from '#foundation/web/api/stored-session.ts'
import { readStream, type LiveEvent } from './read-stream.ts'

type Following = {
  signal: AbortSignal
  /** Returns the id of the last event, after which the stream goes on; undefined for a stream that begins now. */
  lastId(): string | undefined
  onEvent(event: LiveEvent): void
  /** Called when the server has answered and the stream is open, for the first time or again. */
  onOpen(): void
  /** Called with true when something arrives, and with false after two failed attempts, a displacement, or 20 s without a heartbeat. */
  onHearing(isHeard: boolean): void
}

/** Ends a pause, and drops an open stream, so that the stream is opened anew at once. */
export const tryNow = (): boolean => urges.dispatchEvent(new Event(URGE))

const urges = new EventTarget()
const URGE = 'urge'
/** The server sends something at once. If nothing comes, a proxy on the way holds the data back, and the attempt has failed. */
const FIRST_SIGN_MS = 8000
/** Heartbeats come each 15 s (HEARTBEAT_MS): after a longer silence events are reported as not arriving. */
const SILENCE_MS = 20_000

/** Keeps the stream open until `signal` aborts or the session ends: opens it anew when it breaks, after a pause of 0.5 to 10 s. */
export async function followStream(following: Following): Promise<void> {
  const { signal } = following
  // A function, because the signal may abort during each `await`.
  const isOver = () => signal.aborted
  for (let failures = 0; !isOver();) {
    const outcome = await openOnce(following)
    if (outcome === 'signed-out' || isOver()) return
    failures = outcome === 'was-open' || outcome === 'displaced' ? 0 : failures + 1
    if (failures >= 2 || outcome === 'displaced') following.onHearing(false)
    await pause(outcome === 'displaced' ? DISPLACED_MS : longest(failures), signal)
  }
}

/** Returns the header that says how long ago the document began to load, before any data of the page did. Left out after 1000 s. */
function sinceLoading(): { 'X-Loaded-Ms'?: string } {
  const ago_ms = Math.ceil(performance.now())
  return ago_ms < 1_000_000 ? { 'X-Loaded-Ms': String(ago_ms) } : {}
}

type Outcome = 'was-open' | 'displaced' | 'failed' | 'signed-out'

async function openOnce({ signal, lastId, onEvent, onOpen, onHearing }: Following): Promise<Outcome> {
  const token = storedSession.accessToken()
  if (token === null) return 'signed-out'
  const session = seeSession()
  if (expiresSoon(token) && typeof (await refreshTokens(token)) === 'object') return 'failed'
  const used = storedSession.accessToken()
  const last_id = lastId()
  const [url, request] = requestFor(events, {
    headers: last_id ? { 'Last-Event-ID': last_id } : sinceLoading(),
  })
  const seen = { heard: false, displaced: false }
  // A connection from before a loss of the network may look open for minutes and bring nothing more. It is dropped when the network
  // goes, and when it comes back, because some browsers notice the loss only then.
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
    if (response.status === 401) return await afterRefusal(used, session)
    if (!response.ok || !response.body) return 'failed'
    onOpen()
    const tell = (event: LiveEvent) => {
      seen.displaced ||= event.type === STREAM_DISPLACED
      if (event.type !== STREAM_ENDED && !seen.displaced) onEvent(event)
    }
    await readStream(response.body, either, tell, onSign)
  } catch {
    // The network is away, the server restarts, or nothing arrived for too long. The caller tries again after a pause.
  } finally {
    clearTimeout(silence)
    over.abort()
  }
  if (seen.displaced) return 'displaced'
  // An answer in which nothing arrived counts as failed: a proxy may keep the connection open and hold the data back.
  return seen.heard ? 'was-open' : 'failed'
}

/** Handles a 401 as for any call (row A-10): renews the tokens silently; if that is refused, the session is over. */
async function afterRefusal(used: string | null, seen: SeenSession): Promise<Outcome> {
  const refreshed = await refreshTokens(used)
  if (refreshed !== 'refused') return 'failed'
  if (isSamePerson(seen)) announceAuthError(seen)
  return 'signed-out'
}

/**
 * Returns the longest pause after a number of failures: 1 s, then three tenths longer each time, up to 10 s. The pause is a random time
 * from half of it on, so that not all pages come to a restarted server at once. A killed server is back after some seconds: a page that
 * failed right before waits two to three seconds more, not five.
 */
const longest = (failures: number): number => Math.min(10_000, 1000 * 1.3 ** failures)

/** The pause after another stream has displaced this one: if both came back at once, they would displace each other without end. */
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
