import { liveEvent } from '#foundation/contract.ts'
import { STREAM_READ_AFTER, STREAM_READY, STREAM_RESYNC } from '#foundation/live-contract.ts'
import { inOneTab } from '#foundation/web/in-one-tab.ts'
import { noteKnown } from '#foundation/web/api/read-after.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { followStream, tryNow } from './follow-stream.ts'
import type { LiveEvent } from './read-stream.ts'
import { announce, BACK, HEARING } from './subscriptions.ts'

/** True while live events arrive, as far as this tab knows. */
export const isHearing = (): boolean => hearing

/** Opens the stream anew at once, whichever tab holds it. */
export function retryLive(): void {
  tryNow()
  urge?.()
}

/**
 * Follows the live events of the signed-in user until the returned function is called. One of the browser's tabs holds the
 * stream and passes its events on to the others; when this tab closes, another one resumes after the last event.
 */
export function startLive(): () => void {
  const name = `live:${storedSession.user()?.id ?? ''}`
  const channel = channelNamed(name)
  const stopping = new AbortController()
  let last_id: string | undefined
  let begun = false

  const hear = ({ id, type, data }: LiveEvent) => {
    last_id = id ?? last_id
    // Each tab stores the position itself: a value that another tab stores may become visible later than its message.
    if (type === STREAM_READ_AFTER) return noteKnown(String(data['position']))
    if (type === TRY) return void tryNow()
    if (type === HEARING) hearing = data['is'] === true
    if (type !== STREAM_READY) return announce(type, data)
    if (!begun && data['unchanged'] !== true) announce(STREAM_RESYNC)
    begun = true
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  const tell = (event: LiveEvent) => channel?.postMessage(event)
  const lead = () => {
    channel?.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => {
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
  channel?.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => hear(data))
  // The tab that holds the stream answers this greeting with its position, in case this tab has to take over before the next event.
  tell({ type: HELLO, data: {} })
  urge = () => tell({ type: TRY, data: {} })
  // When the tab signs out, waiting for the lock ends with an AbortError, which needs no handling.
  void (channel ? inOneTab(name, lead, { signal: stopping.signal }) : lead()).catch(() => {})
  return () => {
    stopping.abort()
    channel?.close()
    urge = undefined
    hearing = true
  }
}

const HELLO = liveEvent('hello')
const TRY = liveEvent('try')
// Events count as arriving until the opposite is known, so that a page does not open with a warning.
let hearing = true
let urge: (() => void) | undefined

/** The way to the other tabs; undefined in a browser that refuses storage, in which no tab knows another. */
function channelNamed(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}
