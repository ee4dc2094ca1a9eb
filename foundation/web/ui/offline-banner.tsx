import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useState } from 'react'
import { onAnswer } from '#foundation/web/api/events.ts'
import { m } from '#texts/messages.js'

/** A quiet line at the top while the network is away. What is on the page stays. */
export function OfflineBanner() {
  const offline = useOffline()
  return (
    <div role="status">
      {offline ? (
        <p className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-1.5 text-sm text-warning-text">
          <WifiOff size={16} aria-hidden="true" />
          {m.ui_offline()}
        </p>
      ) : null}
    </div>
  )
}

/** The browser knows when its cable is out; that the server is away shows only in answers that do not come. */
function useOffline(): boolean {
  const [offline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener('online', () => setOffline(false), stop)
    window.addEventListener('offline', () => setOffline(true), stop)
    const stopHearing = onAnswer((answer) => setOffline(answer.status === 0))
    return () => {
      stop.abort()
      stopHearing()
    }
  }, [])
  return offline
}
