import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { refreshPair } from '#foundation/server/session/session.ts'
import * as contract from '#features/auth/contract.ts'

/**
 * Gives another pair of tokens for a refresh token. A refusal does not disclose its reason: it is a 400 without codes (auth
 * contract section 3).
 */
export const refreshTokens = handler(contract.refreshTokens, async ({ app, body }) => {
  const pair = await refreshPair(app, body.refresh_token)
  if (!pair) throw new HttpError(400)
  return {
    status: 200,
    body: { status: 200, data: { access_token: pair.access, refresh_token: pair.refresh } },
  }
})
