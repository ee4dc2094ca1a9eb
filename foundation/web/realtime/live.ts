import { liveEvent } from '#foundation/contract.ts'
import { STREAM_READ_AFTER, STREAM_READY, STREAM_RESYNC } from '#foundation/live-contract.ts'
import { noteKnown } from '#foundation/web/api/read-after.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { followStream, tryNow } from './follow-stream.ts'
import type { LiveEvent } from './read-stream.ts'
import { announce, BACK, HEARING } from './subscriptions.ts'

/** True while events arrive, as far as this tab knows. */
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
    // Each tab notes the position itself: what another tab stores may become visible later than the message it sends.
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
const TRY = liveEvent('try')
// The stream counts as heard until something else is known: a page that opens does not begin with a warning.
let hearing = true
let urge: (() => void) | undefined

/** The lock ends with its tab, however the tab ends. Without locks (plain HTTP on a foreign name) each tab has its own stream. */
async function whenLeader(name: string, signal: AbortSignal, lead: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(name, { signal }, lead)
  else await lead()
}
