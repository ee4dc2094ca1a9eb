import { paths } from '#features/paths.ts'
import { errorText, type DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'

/** The view for a mailed link that is invalid or expired: the reason, and links that lead on. */
export function BrokenLink({
  title,
  errors,
  next,
}: {
  title: string
  errors: readonly DisplayedError[]
  next?: { to: string; label: string }
}) {
  return (
    <AuthView title={title}>
      <div className="flex flex-col gap-4">
        <Alert tone="danger" live>
          {errors.map((error) => (
            <p key={error.code}>{errorText(error)}</p>
          ))}
        </Alert>
        {next ? (
          <ButtonLink to={next.to} look="primary" wide>
            {next.label}
          </ButtonLink>
        ) : null}
        <ButtonLink to={paths.signIn()} wide>
          {m.auth_back_to_sign_in()}
        </ButtonLink>
      </div>
    </AuthView>
  )
}
