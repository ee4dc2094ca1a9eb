import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect } from 'react'
import { latestRequestId } from '#foundation/web/api/events.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { RequestNumber } from '#foundation/web/ui/request-number.tsx'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { m } from '#texts/messages.js'
import { PageLoadError } from '#foundation/web/lazy-page.tsx'

/** Replaces a page whose code did not load (row R-17) or that threw while rendering, and offers a retry. */
export function FailurePage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const didNotLoad = error instanceof PageLoadError
  const offline = didNotLoad && !navigator.onLine
  const again = () => {
    reset()
    void router.invalidate()
  }
  // After a new release the old file is gone for good, and only a new document names the new files. While the server is away, a new
  // document would be the browser's own error page, without a way back.
  const retry = () =>
    void (didNotLoad
      ? fetch(window.location.href, { method: 'HEAD', cache: 'no-store' }).then(
          () => window.location.reload(),
          again,
        )
      : again())
  useEffect(() => {
    if (!didNotLoad) return undefined
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  })
  return (
    <ErrorPage
      icon={
        offline ? <WifiOff size={22} aria-hidden="true" /> : <TriangleAlert size={22} aria-hidden="true" />
      }
      title={offline ? m.ui_offline() : m.shell_failed()}
      text={didNotLoad ? m.ui_load_failed() : m.shell_failed_text()}
    >
      <Button look="primary" onClick={retry}>
        {m.ui_retry()}
      </Button>
      {didNotLoad ? null : <RequestId />}
    </ErrorPage>
  )
}

/** Shows the number of the last request before the page threw. */
function RequestId() {
  const requestId = latestRequestId()
  if (requestId === undefined) return null
  return (
    <div className="text-muted">
      <RequestNumber id={requestId} />
    </div>
  )
}
