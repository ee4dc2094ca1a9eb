import { paths } from '#features/paths.ts'
import KeyRound from 'lucide-react/icons/key-round'
import { useEffect } from 'react'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { m } from '#texts/messages.js'

/** The ErrorPage of any path that leads nowhere (row R-06). */
export function NotFoundPage() {
  return (
    <ErrorPage title={m.shell_not_found()} text={m.shell_not_found_text()}>
      <ButtonLink to={paths.hosts()}>{m.shell_home()}</ButtonLink>
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
      <ButtonLink to={paths.hosts()}>{m.shell_home()}</ButtonLink>
    </ErrorPage>
  )
}
