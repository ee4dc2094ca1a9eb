import { unreached, type AnswerStatus } from './answer.ts'
import { announceAuthError } from './events.ts'
import { expiresSoon, refreshTokens } from './refresh.ts'
import { isSamePerson, storedSession, type SeenSession } from './stored-session.ts'

/** The answer to a call that was not sent, because the person for whom it began is gone. */
export const unsent: AnswerStatus = { ...unreached, errors: [{ code: 'session_ended', message: '' }] }

/** Renews an access token that is about to end, so that it does not end while a request is under way. */
export async function refreshAhead(): Promise<void> {
  const token = storedSession.accessToken()
  if (token && expiresSoon(token)) await refreshTokens(token)
}

/**
 * Returns the answer to a request whose access token `used` was refused: renews the token silently and sends once more (row A-10), while the
 * person for whom the call began is still the one who is signed in. Otherwise a change of theirs would be made in the name of the next person,
 * and the end of their session would end the next one.
 */
export async function sendRenewed(
  answer: AnswerStatus,
  used: string | null,
  seen: SeenSession,
  send: () => Promise<AnswerStatus>,
): Promise<AnswerStatus> {
  const refreshed = await refreshTokens(used)
  if (!isSamePerson(seen)) return answer
  if (typeof refreshed === 'object') return refreshed
  const again = refreshed === 'renewed' ? await send() : answer
  // A user who signed out meanwhile (in another tab, say) gets no notice of an expired session, nor does the next one.
  if (again.status === 401 && seen.signed_in && isSamePerson(seen)) announceAuthError(seen)
  return again
}
