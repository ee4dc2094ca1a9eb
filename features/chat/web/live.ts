import { onReconnect, type LiveReaction } from '#foundation/web/realtime/live.ts'
import { flushOutbox } from './sender.ts'

// What waited since the last visit goes out as soon as somebody is here, whichever page is open.
flushOutbox()
window.addEventListener('online', flushOutbox)
onReconnect(flushOutbox)

export const live: readonly LiveReaction[] = []
