import { liveEvent, type LiveEventName } from '#foundation/contract.ts'
import { STREAM_READ_AFTER, STREAM_READY, STREAM_RESYNC } from '#foundation/live-contract.ts'
import { noteKnown } from '#foundation/web/api/read-after.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { followStream, tryNow } from './follow-stream.ts'
import type { LiveEvent } from './read-stream.ts'

type Listener = (data: Record<string, unknown>) => unknown

/**
 * A feature's reaction to an event. `features/x/web/live.ts` exports its list as `live`, and app/web/live.ts
 * gathers them; both are loaded after the first page, so a feature's reactions cost the first page nothing.
 */
export type LiveReaction = readonly [type: LiveEventName, react: Listener]

/** Subscribes to events of one type, whichever tab holds the stream. Returns the function to unsubscribe. */
export function subscribe(type: LiveEventName, listener: Listener): () => void {
  const heard = listeners.get(type) ?? new Set()
  listeners.set(type, heard.add(listener))
  return () => heard.delete(listener)
}

/**
 * Events may be missing: load anew what is shown. So it is after a `resync` of the server, and once when a page begins to
 * listen, where something may have happened after it had loaded what it shows.
 */
export const onResync = (listener: () => void): (() => void) => subscribe(STREAM_RESYNC, listener)

/** The stream is open, or open again: what failed meanwhile may succeed now. */
export const onReconnect = (listener: () => void): (() => void) => subscribe(BACK, listener)

/** Subscribes to whether events come through. */
export const onHearing = (listener: () => void): (() => void) => subscribe(HEARING, listener)

/** True while events arrive, as far as is known. */
export const isHearing = (): boolean => hearing

/** Opens the stream anew at once, whichever tab holds it. */
export function retryLive(): void {
  tryNow()
  urge?.()
}

/**
 * Follows the signed-in customer's events until the returned function is called. One of all tabs of a browser holds the
 * stream and passes its events on; when it goes, the next one resumes after the last event all have seen.
 */
export function startLive(): () => void {
  const name = `live:${storedSession.user()?.id ?? ''}`
  const channel = new BroadcastChannel(name)
  const stopping = new AbortController()
  let last_id: string | undefined
  let begun = false

  const hear = ({ id, type, data }: LiveEvent) => {
    last_id = id ?? last_id
    // In each tab: what another one stores may be seen later than what it tells.
    if (type === STREAM_READ_AFTER) return noteKnown(String(data['position']))
    if (type === TRY) return void tryNow()
    if (type === HEARING) hearing = data['is'] === true
    if (type !== STREAM_READY) return announce(type, data)
    if (!begun && data['unchanged'] !== true) announce(STREAM_RESYNC)
    begun = true
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  const tell = (event: LiveEvent) => channel.postMessage(event)
  const lead = () => {
    channel.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => {
      if (data.type === HELLO && last_id !== undefined) tell({ type: STREAM_READY, id: last_id, data: {} })
    })
    return followStream({
      signal: stopping.signal,
      lastId: () => last_id,
      onOpen() {
        tell({ type: BACK, data: {} })
        announce(BACK)
      },
      onHearing(is) {
        if (is === hearing) return
        const event = { type: HEARING, data: { is } }
        tell(event)
        hear(event)
      },
      onEvent(event) {
        tell(event)
        hear(event)
      },
    })
  }
  channel.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => hear(data))
  // A tab that comes later learns the stream's position, in case it has to take over before anything happens.
  tell({ type: HELLO, data: {} })
  urge = () => tell({ type: TRY, data: {} })
  // Waiting for the lock ends with an AbortError when the tab signs out; there is nothing to do about it.
  void whenLeader(name, stopping.signal, lead).catch(() => {})
  return () => {
    stopping.abort()
    channel.close()
    urge = undefined
    hearing = true
  }
}

const HELLO = liveEvent('hello')
const BACK = liveEvent('back')
const HEARING = liveEvent('hearing')
const TRY = liveEvent('try')
// The stream counts as heard until something else is known: a page that opens does not begin with a warning.
let hearing = true
let urge: (() => void) | undefined
const listeners = new Map<string, Set<Listener>>()

function announce(type: string, data: Record<string, unknown> = {}): void {
  for (const listener of listeners.get(type) ?? []) listener(data)
}

/** The lock goes with its tab, however that ends. Without locks (plain HTTP on a foreign name) each tab is for itself. */
async function whenLeader(name: string, signal: AbortSignal, lead: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(name, { signal }, lead)
  else await lead()
}
