import type { ReplyOf } from '#foundation/contract.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Call } from '#foundation/server/http/serve.ts'
import { refreshPair } from '#foundation/server/session/session.ts'
import type * as contract from '#features/auth/contract.ts'

/** Another pair for a refresh token. Why one is refused is nobody's business: 400 without codes (auth contract section 3). */
export async function refreshTokens({
  app,
  body,
}: Call<typeof contract.refreshTokens>): Promise<ReplyOf<typeof contract.refreshTokens>> {
  const pair = await refreshPair(app, body.refresh_token)
  if (!pair) throw new HttpError(400)
  return {
    status: 200,
    body: { status: 200, data: { access_token: pair.access, refresh_token: pair.refresh } },
  }
}
