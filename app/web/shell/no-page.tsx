import { paths } from '#features/paths.ts'
import KeyRound from 'lucide-react/icons/key-round'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { m } from '#texts/messages.js'

/** The page for each path that has no page (row R-06). */
export function NotFoundPage() {
  return (
    <ErrorPage title={m.shell_not_found()} text={m.shell_not_found_text()}>
      <ButtonLink to={paths.hosts()}>{m.shell_home()}</ButtonLink>
    </ErrorPage>
  )
}

/** The page for people who open a page of staff that they may not see (row G-04). */
export function NoAccessPage() {
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
