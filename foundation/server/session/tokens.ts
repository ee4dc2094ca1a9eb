import { createHmac, randomUUID, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'

export type Claims = { user_id: string; session_id: bigint; generation: number }
type Use = 'access' | 'refresh'

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const header = encoded({ alg: 'HS256', typ: 'JWT' })

/**
 * Returns a signed token (HS256) with the claims of auth contract section 3. `sid` names the session and the generation of its token, so
 * that a rotation kills all tokens issued before.
 */
export async function signToken(
  app: App,
  use: Use,
  { user_id, session_id, generation }: Claims,
  { issued_at = new Date(), expires_at, jti = randomUUID() }: Marks = {},
): Promise<string> {
  const issued_s = Math.floor(issued_at.getTime() / 1000)
  const expires_s = expires_at
    ? Math.floor(expires_at.getTime() / 1000)
    : issued_s + app.lifetimes.access_token_s
  const claims = {
    sid: `${session_id}.${generation}`,
    token_use: use,
    sub: user_id,
    jti,
    iat: issued_s,
    exp: expires_s,
  }
  const signed = `${header}.${encoded(claims)}`
  return `${signed}.${signatureOf(app, signed).toString('base64url')}`
}

const signatureOf = ({ keys }: App, text: string, key = keys.tokens): Buffer =>
  createHmac('sha256', key).update(text).digest()

function isSigned(app: App, text: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url')
  const isBy = (key: KeyObject) => {
    const expected = signatureOf(app, text, key)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  return isBy(app.keys.tokens) || (app.keys.former !== undefined && isBy(app.keys.former.tokens))
}

/** Without `expires_at`, the token lives as long as access tokens do. */
type Marks = { issued_at?: Date; expires_at?: Date; jti?: string }

/**
 * Returns the claims of a token that is signed by this installation, in time and for this use; else undefined. The session still has to be
 * looked up. It is written by hand, because every request needs it and Web Crypto takes ten times as long; the tests read and forge tokens
 * by another library.
 */
export function verifyToken(app: App, use: Use, token: string): Claims | undefined {
  const payload = signedPayload(app, token)
  if (!payload) return undefined
  const { sub, sid, exp, token_use } = payload
  const [id, generation] = sid.split('.')
  if (token_use !== use || exp <= Date.now() / 1000 || !id || !generation) return undefined
  return { user_id: sub, session_id: BigInt(id), generation: Number(generation) }
}

/**
 * The payloads of tokens whose signature was right, by the keys that it was right for. A client sends the same token with each request of five
 * minutes, and the check is a tenth of a short answer. Only the whole token finds its payload: it is no easier to guess than its signature.
 */
const checked = new WeakMap<App['keys'], Map<string, Payload>>()
const MOST_CHECKED = 2_000

/**
 * Returns the payload of a token with a signature of this installation; else undefined. Only the header that `signToken` writes is accepted, byte
 * for byte: `alg: none` and keys of another kind get no further than here (RFC 8725 3.1).
 */
function signedPayload(app: App, token: string): Payload | undefined {
  const known = checked.get(app.keys) ?? new Map<string, Payload>()
  const before = known.get(token)
  if (before) return before
  const [head, body, signature, ...more] = token.split('.')
  if (head !== header || !body || !signature || more.length > 0) return undefined
  if (!isSigned(app, `${head}.${body}`, signature)) return undefined
  const payload = payloadIn(body)
  if (known.size >= MOST_CHECKED) known.clear()
  checked.set(app.keys, known.set(token, payload))
  return payload
}

// Claims with our signature were written by signToken, so their form need not be checked.
function payloadIn(body: string): Payload
function payloadIn(body: string): unknown {
  const payload: unknown = JSON.parse(Buffer.from(body, 'base64url').toString())
  return payload
}
type Payload = { sub: string; sid: string; exp: number; token_use: string }
