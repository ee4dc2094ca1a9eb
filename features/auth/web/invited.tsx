import { paths } from '#features/paths.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'
import { AuthView } from './auth-frame.tsx'

/** The view for the link of an invitation, opened by a visitor who is signed out. After the sign-in the router leads to the invitation. */
export function Invited({ invitation }: { invitation: string }) {
  return (
    <AuthView title={m.auth_invited()} description={m.auth_invited_text()}>
      <div className="flex flex-col gap-3">
        <ButtonLink to={paths.signIn({ view: 'login' })} look="primary" wide>
          {m.auth_sign_in()}
        </ButtonLink>
        <ButtonLink to={paths.signIn({ view: 'signup', invite: invitation })} wide>
          {m.auth_sign_up()}
        </ButtonLink>
      </div>
    </AuthView>
  )
}
