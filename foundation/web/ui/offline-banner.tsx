import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useRef, useState } from 'react'
import { onAnswer } from '#foundation/web/api/events.ts'
import { m } from '#texts/messages.js'
import { useSpaceAtEnd } from './space-at-end.ts'

/** A note at the foot of the window while the network or the server is away. The page below it stays usable and does not move. */
export function OfflineBanner() {
  const offline = useOffline()
  const note = useRef<HTMLParagraphElement>(null)
  useSpaceAtEnd(note, offline)
  return (
    <div role="status" className="print:hidden">
      {offline ? (
        <p
          ref={note}
          className="fixed inset-x-4 at-foot z-40 mx-auto flex w-fit items-center gap-2 rounded-md bg-warning-soft px-4 py-2 text-sm text-warning-text shadow-menu"
        >
          <WifiOff size={16} aria-hidden="true" />
          {m.ui_offline()}
        </p>
      ) : null}
    </div>
  )
}

/** True while the network is away, as the browser reports, or the server is, which only shows in calls without an answer. */
export function useOffline(): boolean {
  const [offline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener('online', () => setOffline(false), stop)
    window.addEventListener('offline', () => setOffline(true), stop)
    // An answer that was under way when the network went does not mean that the network is back.
    const stopHearing = onAnswer((answer) => setOffline(answer.status === 0 || !navigator.onLine))
    return () => {
      stop.abort()
      stopHearing()
    }
  }, [])
  return offline
}
