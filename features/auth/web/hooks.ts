import { signOut } from '#features/auth/contract.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { dropSessionToken } from '#foundation/web/api/stored-session.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { toastError, type ToastText } from '#foundation/web/toasts/toasts.ts'

/**
 * Retries once without the stale session token left by an earlier visit: one that is dead
 * (410, dropped by then), or one that is signed in while this browser has no access token (409).
 */
export async function callWithoutStaleSession<A extends { status: number }>(
  send: () => Promise<A>,
): Promise<A> {
  const answer = await send()
  if (answer.status === 409) await call(signOut)
  else if (answer.status !== 410) return answer
  dropSessionToken()
  return send()
}

/**
 * The errors that the form shows. A failure of the server shows a toast with its own text as well, but the
 * form shows it too: no other toast appears beside that of an ended session (row T-06).
 */
export function toFormError(answer: AnswerStatus, failed: ToastText): FormError {
  if ([0, 400, 429].includes(answer.status)) return answer
  toastError(failed, answer)
  return { errors: answer.errors.map(({ code }) => ({ code })) }
}
