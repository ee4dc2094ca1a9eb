import { useEffect } from 'react'
import { signOut } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { clearSession } from '#foundation/web/api/stored-session.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Spinner } from '#foundation/web/ui/spinner.tsx'
import { m } from '#texts/messages.js'

/** Rows: ends the session on the server, forgets the four stored values, and leads to AuthPage. */
export function LogoutPage() {
  useEffect(() => {
    leaving ??= leave().finally(() => {
      leaving = undefined
    })
  }, [])
  return (
    <main id="content" className="flex min-h-dvh flex-col items-center justify-center gap-4 text-muted">
      <Spinner />
      <h1 tabIndex={-1} className="text-sm outline-none">
        {m.auth_signing_out()}
      </h1>
    </main>
  )
}

// React mounts twice in development; one departure is enough.
let leaving: Promise<void> | undefined

/** A 401 is the success, a 410 too (D15). Without a network this browser is signed out all the same. */
async function leave(): Promise<void> {
  await call(signOut)
  // A second tab may have been faster; nobody is told twice.
  clearSession()
  toastSuccess(m.auth_see_you_soon)
}
