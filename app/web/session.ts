import { paths } from '#features/paths.ts'
import type { AnyRouter } from '@tanstack/react-router'
import { onAuthError } from '#foundation/web/api/events.ts'
import { clearSession, onSignedInChange, storedSession } from '#foundation/web/api/stored-session.ts'
import { closeAuthErrors, toast } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { keepDestination } from './return-to.ts'

/**
 * Opens the start or the sign-in page when a token appears or goes, in this tab or in another, and reports the end of the session
 * (rows ). Returns a function that stops following the token; the other listeners stay.
 */
export function followSession(router: AnyRouter): () => void {
  let user = storedSession.user()?.id
  const stopFollowing = onSignedInChange((signedIn) => {
    if (signedIn) closeAuthErrors()
    else keepDestination(router.state.location.pathname + router.state.location.searchStr, user)
    user = storedSession.user()?.id
    void router.navigate({ to: signedIn ? paths.home() : `${paths.signIn()}/`, replace: true })
  })

  // In another tab one person signed out and another signed in, before this tab could follow: no data of the first may stay here.
  window.addEventListener('storage', ({ key }) => {
    const present = storedSession.user()?.id
    if (key === 'user' && present !== undefined && user !== undefined && present !== user)
      window.location.reload()
  })

  onAuthError((seen) => {
    toast({ type: 'warning', message: m.shell_session_expired, closeable: true, isAuthError: true })
    clearSession(seen)
  })
  return stopFollowing
}
