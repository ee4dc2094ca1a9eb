import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useRef, useState } from 'react'
import { onAnswer } from '#foundation/web/api/events.ts'
import { m } from '#texts/messages.js'
import { useSpaceAtEnd } from './space-at-end.ts'

/** A quiet note at the foot of the window while the network is away. The page stays as it is, and where it was. */
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

/** The browser knows when its cable is out; that the server is away shows only in answers that do not come. */
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
