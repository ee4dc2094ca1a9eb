import type { Reaction } from '#foundation/server/events.ts'
import type { Served } from '#foundation/server/http/serve.ts'

/** Everything that is mounted on the server, in the order of features/README.md. */
export const routes: readonly Served[] = []

export const reactions: readonly Reaction[] = []
