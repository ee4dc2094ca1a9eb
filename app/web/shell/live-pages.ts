import { reactions } from '#app/web/live.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { onResync, startLive, subscribe } from '#foundation/web/realtime/live.ts'

/** Follows the customer's events and lets the features react to them; answers how to stop. */
export function keepPagesLive(): () => void {
  const stops = [
    ...reactions.map(([type, react]) => subscribe(type, react)),
    onResync(() => void queryClient.invalidateQueries()),
    startLive(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
