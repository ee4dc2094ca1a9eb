import RadioTower from 'lucide-react/icons/radio-tower'
import { useEffect, useSyncExternalStore } from 'react'
import { isHearing, retryLive } from '#foundation/web/realtime/live.ts'
import { onHearing } from '#foundation/web/realtime/subscriptions.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { useOffline } from '#foundation/web/ui/offline-banner.tsx'
import { m } from '#texts/messages.js'
import type { Conversation } from './conversation.ts'

/** The interval at which the open conversation asks for messages while no events come. */
const ASK_MS = 15_000

/** Shows that live updates are interrupted, unless the page says that it is offline, and polls for messages meanwhile. */
export function Interrupted({ conversation }: { conversation: Conversation }) {
  const interrupted = !useSyncExternalStore(onHearing, isHearing)
  const offline = useOffline()
  useEffect(() => {
    if (!interrupted) return undefined
    const ask = () => void conversation.catchUp()
    ask()
    const timer = setInterval(ask, ASK_MS)
    return () => clearInterval(timer)
  }, [interrupted, conversation])
  return (
    <div role="status">
      {interrupted && !offline ? (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-warning-soft px-3 py-1.5 text-sm text-warning-text">
          <RadioTower size={16} aria-hidden="true" />
          <span className="flex-1">{m.messages_interrupted()}</span>
          <Button size="small" look="quiet" onClick={retryLive}>
            {m.messages_try_now()}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
