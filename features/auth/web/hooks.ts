import { signOut } from '#features/auth/contract.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import type { Answered } from '#foundation/web/api/seen.ts'
import { storeAnswer } from '#foundation/web/api/stored-session.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { toastError, type ToastText } from '#foundation/web/toasts/toasts.ts'

/**
 * Sends a call, and sends it once more without a stale session token of an earlier visit. Such a token is dead (410), or is signed
 * in while this browser has no access token (409).
 */
export async function callWithoutStaleSession<A extends Answered & { status: number }>(
  send: () => Promise<A>,
): Promise<A> {
  const answer = await send()
  if (answer.status === 409) await call(signOut)
  else if (answer.status !== 410) return answer
  storeAnswer(answer.seen.session, { session_token: null })
  return send()
}

/**
 * Returns the errors that the form shows. Any status but 0, 400 and 429 also shows a toast with the text `failed`. The form shows
 * the error all the same, since no toast appears beside the one of an ended session (row T-06).
 */
export function toFormError(answer: AnswerStatus, failed: ToastText): FormError {
  if ([0, 400, 429].includes(answer.status)) return answer
  toastError(failed, answer)
  return { errors: answer.errors.map(({ code }) => ({ code })), requestId: answer.requestId }
}
