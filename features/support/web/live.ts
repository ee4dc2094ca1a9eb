import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { live as desk } from '#features/support/desk/web/live.ts'
import { live as messages } from '#features/support/messages/web/live.ts'
import { live as tickets } from '#features/support/tickets/web/live.ts'

/** The reactions of all parts of support to live events. */
export const live: readonly LiveReaction[] = [...tickets, ...messages, ...desk]
