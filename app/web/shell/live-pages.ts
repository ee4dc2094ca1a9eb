import type { Query } from '@tanstack/react-query'
import { reactions } from '#app/web/features.ts'
import { staffReactions } from '#app/web/staff-features.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { isViewing } from '#foundation/web/viewing.ts'
import { startLive } from '#foundation/web/realtime/live.ts'
import {
  onReconnect,
  onResync,
  subscribe,
  type LiveReaction,
} from '#foundation/web/realtime/subscriptions.ts'

/** Loads what the features do on live events. */
export const loadReactions = async (): Promise<readonly LiveReaction[]> => [
  ...(await Promise.all(reactions.map((load) => load()))).flat(),
  ...staffReactions,
]

/** Follows the customer's live events and lets the features react to them. Returns a function that stops this. */
export function keepPagesLive(all: readonly LiveReaction[]): () => void {
  // The stream would bring the events of the member of staff, and not those of the account that this tab shows.
  if (isViewing() && !actedFor()) return () => {}
  const stops = [
    ...all.map(([type, react]) => subscribe(type, (data) => (isInSight(data) ? react(data) : undefined))),
    onResync(() => void queryClient.invalidateQueries()),
    // Queries that failed while the server was away are loaded again.
    onReconnect(() => void queryClient.refetchQueries({ type: 'active', predicate: isBehind })),
    startLive(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** True if an event concerns this tab. An event of an account that the user helps concerns only a tab that shows this account. */
const isInSight = ({ account }: Record<string, unknown>): boolean =>
  account === undefined || account === actedFor()?.id

const isBehind = ({ state }: Query) => state.isInvalidated || state.status === 'error'
