import { createHash } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/licences/published.ts'
import { revocationList } from './document-queries.ts'
import { announcedSeq, signedJws, signingKey } from './signing-keys.ts'

const LIFETIME_S = 86_400
// A signed list is kept for this long, so that many verifiers at once cost one read and one signature. Each asks every 15 minutes.
const KEPT_MS = 2_000

type Signed = { list: string; etag: string; seq: number; exp: number }
type Kept = {
  read: Promise<Signed>
  at_ms: number
  /** The number of the list; while the list is being read, the least number that it can have. */
  seq: number
  last: Signed | undefined
}
const kept = new WeakMap<App['pool'], Kept>()

/**
 * Answers `GET /.well-known/licence-revocations` with the list of documents that are void although they are signed and young
 * (docs/decisions/102). The key of the documents signs the list. Each process answers with the same bytes until the list changes or an
 * hour begins, so most answers are 304.
 */
export const listRevocations = handler(contract.listRevocations, async ({ app, reply, request }) => {
  const { list, etag } = await signedList(app)
  reply.header('cache-control', 'public, max-age=300').header('etag', etag)
  if (request.headers['if-none-match'] === etag) void reply.code(304).send()
  else void reply.type('application/jose').send(list)
  return null
})

async function signedList(app: App): Promise<Signed> {
  const known = kept.get(app.pool)
  const told = announcedSeq(app)
  // Agents that learn of a newer list fetch it at once, so a kept older list is not enough for them.
  if (known && performance.now() - known.at_ms < KEPT_MS && known.seq >= told) return known.read
  const read = signRevocations(app)
  const entry: Kept = { read, at_ms: performance.now(), seq: told, last: known?.last }
  kept.set(app.pool, entry)
  try {
    entry.last = await read
    entry.seq = entry.last.seq
    return entry.last
  } catch (error) {
    kept.delete(app.pool)
    // If the database does not answer, the last list is served until it expires.
    const last = known?.last
    if (!last || last.exp < Date.now() / 1000) throw error
    kept.set(app.pool, { read: Promise.resolve(last), at_ms: performance.now(), seq: told, last })
    return last
  }
}

export async function signRevocations(app: App): Promise<Signed> {
  const key = await signingKey(app)
  const { iat, ...claims } = await revocationList(app.db)
  const exp = iat + LIFETIME_S
  const list = signedJws(key, 'hostdesk-revocations+jwt', {
    ...claims,
    iss: app.config.publicOrigin,
    iat,
    exp,
  })
  return { list, seq: claims.seq, etag: `"${createHash('sha256').update(list).digest('base64url')}"`, exp }
}
