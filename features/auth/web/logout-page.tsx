import { useEffect, useState } from 'react'
import { signOut } from '#features/auth/contract.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Spinner } from '#foundation/web/ui/spinner.tsx'
import { m } from '#texts/messages.js'

/** Rows: ends the session on the server, forgets the four stored values, and leads to AuthPage. */
export function LogoutPage() {
  const [failed, setFailed] = useState<AnswerStatus>()
  useEffect(() => void leaveOnce().then(setFailed), [])
  const retry = () => {
    setFailed(undefined)
    void leaveOnce().then(setFailed)
  }
  return (
    <main
      id="content"
      className="flex min-h-dvh flex-col items-center justify-center gap-4 p-4 text-center text-muted"
    >
      {failed ? <Failed answer={failed} onRetry={retry} /> : <Leaving />}
    </main>
  )
}

function Leaving() {
  return (
    <>
      <Spinner />
      <h1 tabIndex={-1} className="text-sm outline-none">
        {m.auth_signing_out()}
      </h1>
    </>
  )
}

/** The session is still open on the server: a user leaving a shared computer must know. */
function Failed({ answer, onRetry }: { answer: AnswerStatus; onRetry: () => void }) {
  const [error] = answer.errors
  return (
    <div role="alert" className="flex max-w-md flex-col items-center gap-4">
      <h1 tabIndex={-1} className="text-xl font-semibold text-text outline-none">
        {m.auth_sign_out_failed()}
      </h1>
      <p className="text-sm">
        {error ? <span>{errorText(error)}</span> : null} <span>{m.auth_sign_out_failed_text()}</span>
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button look="primary" onClick={onRetry}>
          {m.ui_retry()}
        </Button>
        <Button onClick={signOutHere}>{m.auth_sign_out_here()}</Button>
      </div>
    </div>
  )
}

function signOutHere(): void {
  drafts.forgetAll()
  clearSession(seeSession())
}

// React runs effects twice in development; one sign-out is enough.
function leaveOnce(): Promise<AnswerStatus | undefined> {
  leaving ??= leave().finally(() => {
    leaving = undefined
  })
  return leaving
}

let leaving: Promise<AnswerStatus | undefined> | undefined

/**
 * Signs out on the server. A 401 is the success, and so is a 410 (D15). Returns the answer if it failed: no network, too many
 * requests, or an error of the server.
 */
async function leave(): Promise<AnswerStatus | undefined> {
  const answer = await call(signOut)
  if (answer.status === 0 || answer.status === 429 || answer.status >= 500) return answer
  // A 410 leads here as well: another tab may have signed out first.
  drafts.forgetAll()
  clearSession(answer.seen.session)
  toastSuccess(m.auth_see_you_soon)
  return undefined
}
