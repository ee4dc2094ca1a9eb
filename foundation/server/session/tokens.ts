import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { App } from '#foundation/server/app.ts'

export type Claims = { user_id: string; session_id: bigint; generation: number }
type Use = 'access' | 'refresh'

/**
 * A signed token (HS256) with the claims of auth contract section 3. `sid` names the session and the generation of its
 * token, so that a rotation kills what was issued before.
 */
export function signToken(app: App, use: Use, { user_id, session_id, generation }: Claims): Promise<string> {
  const lifetime_s = use === 'access' ? app.lifetimes.access_token_s : app.lifetimes.refresh_token_s
  return new SignJWT({ sid: `${session_id}.${generation}`, token_use: use })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user_id)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime_s)
    .sign(app.keys.tokens)
}

/** The claims of a token that is ours, in time and for this use; else undefined. The session still has to be looked up. */
export async function verifyToken(app: App, use: Use, token: string): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify(token, app.keys.tokens, { algorithms: ['HS256'] })
    const [id, generation] = String(payload.sid).split('.')
    if (payload.token_use !== use || !payload.sub || !id || !generation) return undefined
    return { user_id: payload.sub, session_id: BigInt(id), generation: Number(generation) }
  } catch {
    return undefined
  }
}
