import { onReconnect, type LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { flushOutbox } from './sender.ts'

// Messages that waited since the last visit are sent as soon as the user is back, on any page.
flushOutbox()
window.addEventListener('online', flushOutbox)
onReconnect(flushOutbox)

export const live: readonly LiveReaction[] = []
