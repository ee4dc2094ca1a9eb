import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Secret } from '#foundation/server/secret.ts'

/** Keys derived from SECRET_KEY, one for each purpose, so that a leak of one key reveals no other key. */
export type Keys = OwnKeys & {
  /** The keys of SECRET_KEY_OLD, which still open and verify while the key is being changed. */
  former: OwnKeys | undefined
  /** The hash keys of SECRET_KEYs that were replaced: a secret that is kept only as a hash cannot be hashed again with another key. */
  retiredDigests: readonly Uint8Array[]
}

export type OwnKeys = {
  /** Signs access and refresh tokens (HS256). It is a key object, which Node uses four times as fast as bytes. */
  tokens: KeyObject
  /** AES-256-GCM for secrets that must be read back: TOTP secrets and recovery codes. */
  box: Uint8Array
  /** HMAC-SHA-256 for short secrets that are looked up: recovery codes. */
  digests: Uint8Array
  /** Hashes the ids of people for the log. It is a key object for speed, because each request needs it. */
  log: KeyObject
  /** The prefix of each sealed text, so that a later key can be distinguished from this one. */
  boxId: string
  /** Names SECRET_KEY in the database and in messages, and reveals nothing of it. */
  fingerprint: string
}

export const deriveKeys = (secret: Secret, former?: Secret): Keys => ({
  ...ownKeys(secret),
  former: former && ownKeys(former),
  retiredDigests: [],
})

/** All keys that may have hashed a short secret, the present one first. */
export const digestKeys = ({ digests, former, retiredDigests }: Keys): readonly Uint8Array[] => [
  digests,
  ...(former ? [former.digests] : []),
  ...retiredDigests,
]

function ownKeys(secret: Secret): OwnKeys {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', secret.reveal(), 'hostdesk', purpose, 32))
  const box = derive('box')
  return {
    tokens: createSecretKey(derive('tokens')),
    box,
    digests: derive('digests'),
    log: createSecretKey(derive('log')),
    boxId: createHash('sha256').update(box).digest('hex').slice(0, 8),
    fingerprint: Buffer.from(derive('fingerprint')).toString('hex').slice(0, 16),
  }
}

/** 256 random bits, URL-safe: session, refresh, reset and verification tokens. */
export const randomToken = () => randomBytes(32).toString('base64url')

/** The stored hash of a token. A reader of the database cannot use it; the tokens are too random to guess. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest()

/** Encrypts a text; `context` (the owner and the purpose) is bound to it, so that a row cannot be moved to another owner. */
export function seal(keys: Keys, plain: string, context: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.box, nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `${keys.boxId}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** Seals anew, by the present key, what it or the former one sealed. */
export const sealAnew = (keys: Keys, text: string, context: string): string =>
  seal(keys, unseal(keys, text, context), context)

/** Decrypts what `seal` made, with this key or the former one. Throws where key, context or text do not fit. */
export function unseal(keys: Keys, text: string, context: string): string {
  const [keyId, body] = text.split('.')
  const { box } = [keys, keys.former].find((own) => own?.boxId === keyId) ?? {}
  if (!box || !body) throw new Error(`sealed with key ${keyId}, but SECRET_KEY gives ${keys.boxId}`)
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', box, bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
