import { getProfile } from '#features/profile/contract.ts'
import { listDevices } from '#features/security/contract.ts'
import { keyOf, queryClient } from '#foundation/web/api/query.ts'
import { onResync, startLive, subscribe } from '#foundation/web/realtime/live.ts'

/** Follows the customer's events and loads anew what they touch; answers how to stop. */
export function keepPagesLive(): () => void {
  const stops = [
    subscribe('profile.changed', () => void queryClient.invalidateQueries({ queryKey: keyOf(getProfile) })),
    subscribe('session.ended', () => void queryClient.invalidateQueries({ queryKey: keyOf(listDevices) })),
    onResync(() => void queryClient.invalidateQueries()),
    startLive(),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
