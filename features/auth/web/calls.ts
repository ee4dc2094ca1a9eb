import { signOut } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { dropSessionToken } from '#foundation/web/api/stored-session.ts'
import type { Refused } from '#foundation/web/form/use-form.ts'
import { toast, type ToastText } from '#foundation/web/toasts/toasts.ts'

/**
 * Calls, and calls once more where what is left of an earlier visit stood in the way: a session token that is dead
 * (410, dropped by then), or one that is signed in while this browser has no access token (409).
 */
export async function callAnew<A extends { status: number }>(send: () => Promise<A>): Promise<A> {
  const answer = await send()
  if (answer.status === 409) await call(signOut)
  else if (answer.status !== 410) return answer
  dropSessionToken()
  return send()
}

/** Refusals of what was typed belong to the form; that the server failed is told by a toast with its own text. */
export function told(answer: Refused & { status: number }, failed: ToastText): Refused | undefined {
  if ([0, 400, 429].includes(answer.status)) return answer
  toast({ type: 'error', message: failed, closeable: true })
  return undefined
}
