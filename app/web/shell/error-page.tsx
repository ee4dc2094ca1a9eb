import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import WifiOff from 'lucide-react/icons/wifi-off'
import { latestRequestId } from '#foundation/web/api/events.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { m } from '#texts/messages.js'
import { PageLoadError } from '#foundation/web/lazy-page.tsx'

/** A page whose code did not come (row R-17) or that broke while rendering, with another try. */
export function FailurePage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const didNotLoad = error instanceof PageLoadError
  const offline = didNotLoad && !navigator.onLine
  const retry = () => {
    // After a new version the old file is gone for good: only the document names the new ones.
    if (didNotLoad) return window.location.reload()
    reset()
    void router.invalidate()
    return undefined
  }
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

/** The id of the last request before the page broke: support can find it in the log. */
function RequestId() {
  const requestId = latestRequestId()
  if (requestId === undefined) return null
  return (
    <p className="text-xs text-muted">
      {m.ui_request_id()} <code className="font-mono select-all">{requestId}</code>
    </p>
  )
}
