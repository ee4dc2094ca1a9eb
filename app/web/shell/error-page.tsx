import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect } from 'react'
import { latestRequestId } from '#foundation/web/api/events.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { m } from '#texts/messages.js'
import { PageLoadError } from '#foundation/web/lazy-page.tsx'

/** The ErrorPage of any path that leads nowhere (row R-06). */
export function NotFoundPage() {
  return (
    <ErrorPage title={m.shell_not_found()} text={m.shell_not_found_text()}>
      <ButtonLink to="/servers/list">{m.shell_home()}</ButtonLink>
    </ErrorPage>
  )
}

/** A page of the staff, visited by somebody else (row G-04). */
export function NoAccessPage() {
  useEffect(() => {
    toastError(m.error_not_allowed)
  }, [])
  return (
    <ErrorPage
      icon={<KeyRound size={22} aria-hidden="true" />}
      title={m.shell_no_access()}
      text={m.error_not_allowed()}
    >
      <ButtonLink to="/servers/list">{m.shell_home()}</ButtonLink>
    </ErrorPage>
  )
}

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
      text={didNotLoad ? m.shell_load_failed_text() : m.shell_failed_text()}
    >
      <Button look="primary" onClick={retry}>
        {m.ui_retry()}
      </Button>
      {didNotLoad ? null : <RequestId />}
    </ErrorPage>
  )
}

/** Of the last call before the page broke: what the support can find in the log. */
function RequestId() {
  const requestId = latestRequestId()
  if (requestId === undefined) return null
  return (
    <p className="text-xs text-muted">
      {m.ui_request_id()} <code className="font-mono select-all">{requestId}</code>
    </p>
  )
}
