import { createHash, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { ED25519_KEY } from '#foundation/public-key.ts'
import { newKeyPair, privateKeyOf } from '#foundation/server/ed25519.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { sealAnew, type Keys } from '#foundation/server/keys.ts'
import { remembered } from '#foundation/server/remembered.ts'
import * as contract from '#features/licences/published.ts'
import { DOCUMENT_GRACE_S, DOCUMENT_LIFETIME_S } from '#features/licences/rules.ts'
import * as queries from './document-queries.ts'

/** The signing key and its name. */
type SigningKey = { kid: string; key: KeyObject }

// A process that does not know of a rotation yet signs with the retired key for this long.
const TRUSTED_MS = 10_000
// A retired key stays published as long as a document signed with it may count, and a day longer for clocks that are off.
const PUBLISHED_S = DOCUMENT_LIFETIME_S + DOCUMENT_GRACE_S + 86_400

type KeyNews = { withdrawn_keys: string[]; revocations_seq: number }
type Known = SigningKey & KeyNews
const knownKeys = remembered(TRUSTED_MS, readKey, ({ pool }) => pool)

/**
 * Returns the current signing key; the first call in an installation makes it. It is read again only every ten seconds, because reading it
 * costs a database statement and a decryption, and check-ins need it a thousand times a second.
 */
export const signingKey = (app: App): Promise<SigningKey> => knownKeys.get(app)

/** The names of keys that must not be trusted any more, and the number of the newest list of revoked documents, at most ten seconds old. */
export async function keyNews(app: App): Promise<KeyNews> {
  const { withdrawn_keys, revocations_seq } = await knownKeys.get(app)
  announced.set(app.pool, Math.max(revocations_seq, announcedSeq(app)))
  return { withdrawn_keys, revocations_seq }
}

const announced = new WeakMap<App['pool'], number>()

/** The highest number of a revocation list that this process has announced to agents; they fetch that list at once. */
export const announcedSeq = (app: App): number => announced.get(app.pool) ?? 0

async function readKey(app: App): Promise<Known> {
  const row = (await queries.currentKey(app.db)) ?? (await transaction(app, 'system', (tx) => first(app, tx)))
  const withdrawn_keys = await queries.withdrawnKeys(app.db)
  const revocations_seq = await queries.revocationsSeq(app.db)
  return { kid: row.kid, key: open(app.keys, row), withdrawn_keys, revocations_seq }
}

/** The first key. If two processes start a new installation at once, one makes it and the other finds it. */
async function first(app: App, tx: Tx): Promise<queries.SigningKeyRow> {
  await lockByName(tx, 'signing key')
  return (await queries.currentKey(tx)) ?? makeKey(app, tx)
}

async function makeKey({ keys }: App, tx: Tx): Promise<queries.SigningKeyRow> {
  const made = newKeyPair(keys, contextOf)
  await queries.insertKey(tx, made)
  return made
}

const open = (keys: Keys, { kid, private_key }: queries.SigningKeyRow): KeyObject =>
  privateKeyOf(keys, private_key, contextOf(kid))

/** The private half of the key that signs licence documents. */
export const sealed: Sealed = {
  what: 'keys of licence documents',
  async reseal({ keys }, tx, limit) {
    const found = await queries.keysOfOtherKeys(tx, keys.boxId, limit)
    for (const { kid, private_key } of found)
      await queries.setPrivateKey(tx, { kid, private_key: sealAnew(keys, private_key, contextOf(kid)) })
    return found.length
  },
}

const contextOf = (kid: string) => `signing key ${kid}`

/**
 * Makes a new key, which signs from now on, in other processes within ten seconds. The public half of the old key stays published as long
 * as documents signed with it may count; its private half is deleted. Returns the name of the new key.
 */
export async function rotateKey(app: App): Promise<string> {
  const kid = await transaction(app, 'system', async (tx) => {
    await lockByName(tx, 'signing key')
    await queries.retireKey(tx)
    await queries.sweepKeys(tx, PUBLISHED_S)
    const made = await makeKey(app, tx)
    await recordAction(tx, { user_id: null, act: 'signing_key.rotated', detail: { kid: made.kid } })
    return made.kid
  })
  knownKeys.forget(app)
  return kid
}

/**
 * Withdraws a stolen key: it is not published any more but named among the withdrawn ones, for good, in the list of keys and in the answer
 * to each check-in, so that verifiers with an older list learn of it. Returns false if there is no such key, or if it was withdrawn before.
 * If it was the signing key, the next document makes another.
 */
export async function withdrawKey(app: App, kid: string): Promise<boolean> {
  const known = await transaction(app, 'system', async (tx) => {
    await lockByName(tx, 'signing key')
    const withdrawn = await queries.markWithdrawn(tx, kid)
    if (withdrawn) await recordAction(tx, { user_id: null, act: 'signing_key.withdrawn', detail: { kid } })
    return withdrawn
  })
  knownKeys.forget(app)
  return known
}

/**
 * Answers `GET /.well-known/jwks.json` with the public keys as a JSON Web Key Set (RFC 7517, 8037). Shared caches may keep it for five
 * minutes; agents ask for it every 15 minutes with its ETag.
 */
export const listKeys = handler(contract.listKeys, async ({ app, reply, request }) => {
  // A reader before the first signed document would cache the empty answer, so the key is made now.
  await signingKey(app)
  const rows = await queries.publicKeys(app.db, PUBLISHED_S)
  const keys = rows.map(({ kid, public_key }) => ({ ...ED25519_KEY, kid, x: public_key }))
  const body = { keys, withdrawn: await queries.withdrawnKeys(app.db) }
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`
  reply.header('cache-control', 'public, max-age=300').header('etag', etag)
  if (request.headers['if-none-match'] === etag) return { status: 304 }
  return { status: 200, body }
})

/**
 * Returns claims as a compact JWS, signed with Ed25519. It does not use the library jose, which signs through Web Crypto and takes three
 * times as long. Each kind of claims has a type of its own, so that nothing else this key signs passes for it (RFC 8725 3.11).
 */
export function signedJws({ kid, key }: SigningKey, typ: string, claims: object): string {
  const signed = `${encode({ alg: 'EdDSA', typ, kid })}.${encode(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
