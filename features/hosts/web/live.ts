import { forgetHost, reloadHost } from './hooks.ts'
import type { LiveReaction } from '#foundation/web/realtime/live.ts'

/** A host changed (connected, paid, renamed in another tab …): only its own entries are loaded anew. */
export const live: readonly LiveReaction[] = [
  ['host.changed', ({ host_id }) => void reloadHost(String(host_id))],
  ['host.deleted', ({ host_id }) => forgetHost(String(host_id))],
]
