import type { Reaction } from '#foundation/server/events.ts'
import { reactions as files } from '#features/support/files/server/reactions.ts'
import { reactions as messages } from '#features/support/messages/server/reactions.ts'
import { reactions as tickets } from '#features/support/tickets/server/reactions.ts'

/** The reactions of all parts of support. */
export const reactions: readonly Reaction[] = [...tickets, ...files, ...messages]
