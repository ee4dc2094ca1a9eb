import type { AnswerStatus } from './answer.ts'
import { announceAuthError } from './events.ts'
import { expiresSoon, refreshTokens } from './refresh.ts'
import { isSignedIn, storedSession } from './stored-session.ts'

export const unreached: AnswerStatus = {
  status: 0,
  body: undefined,
  errors: [{ code: 'network', message: '' }],
  requestId: undefined,
}

/** Renews an access token that is about to end, so that it does not end while a request is under way. */
export async function refreshAhead(): Promise<void> {
  const token = storedSession.accessToken()
  if (token && expiresSoon(token)) await refreshTokens(token)
}

/** Returns the answer to a request whose access token `used` was refused: renews the token silently and sends once more (row A-10). */
export async function sendRenewed(
  answer: AnswerStatus,
  used: string | null,
  send: () => Promise<AnswerStatus>,
): Promise<AnswerStatus> {
  const refreshed = await refreshTokens(used)
  if (refreshed === 'unreachable') return { ...answer, status: 0, errors: unreached.errors }
  const again = refreshed === 'renewed' ? await send() : answer
  // A user who signed out meanwhile (in another tab, say) gets no notice of an expired session.
  if (again.status === 401 && isSignedIn()) announceAuthError()
  return again
}
