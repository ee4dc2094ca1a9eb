import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  scrypt,
  type KeyObject,
} from 'node:crypto'
import { bytesOfBech32 } from './bech32.ts'

// The stanzas of age (age-encryption.org/v1) that wrap the key of a file: for a public key, and for a passphrase.

export type Stanza = { words: readonly string[]; body: Buffer }

const LABEL = 'age-encryption.org/v1'
// The work factor of scrypt, as a power of two: 18 costs about a second and 256 MB for each try.
const WORK = 18
const MOST_WORK = 20

export async function wrapByPassphrase(key: Buffer, passphrase: string): Promise<Stanza> {
  const salt = randomBytes(16)
  const wrapping = await keyOfPassphrase(passphrase, salt, WORK)
  return { words: ['scrypt', unpadded(salt), String(WORK)], body: sealed(key, wrapping) }
}

export function wrapForRecipient(key: Buffer, recipient: string): Stanza {
  const theirs = publicKeyOf(recipient)
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const share = rawOf(publicKey)
  return {
    words: ['X25519', unpadded(share)],
    body: sealed(key, sharedKey(privateKey, theirs, share, rawOf(theirs))),
  }
}

/**
 * Returns the key of the file; undefined if the stanza is of another kind, or for another passphrase. Throws if the work factor is too
 * high.
 */
export async function unwrapByPassphrase(
  { words, body }: Stanza,
  passphrase: string,
): Promise<Buffer | undefined> {
  const [kind, salt = '', work = ''] = words
  if (kind !== 'scrypt') return undefined
  // The attack is a file whose work factor makes its reader compute for hours.
  if (!/^\d\d?$/.test(work) || Number(work) > MOST_WORK) throw new Error('the passphrase would take too long')
  return opened(body, await keyOfPassphrase(passphrase, Buffer.from(salt, 'base64'), Number(work)))
}

/**
 * Returns the key of the file; undefined if the stanza is of another kind, or for another key. Throws if `identity` is no line
 * AGE-SECRET-KEY-1… of age-keygen.
 */
export function unwrapByIdentity({ words, body }: Stanza, identity: string): Buffer | undefined {
  const [kind, share = ''] = words
  if (kind !== 'X25519') return undefined
  const raw = bytesOfBech32(identity, 'age-secret-key-')
  if (raw?.length !== 32) throw new Error('a key in the file of keys is none of age')
  const mine = createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, raw]), format: 'der', type: 'pkcs8' })
  const theirs = Buffer.from(share, 'base64')
  if (theirs.length !== 32) return undefined
  return opened(body, sharedKey(mine, publicKeyFrom(theirs), theirs, rawOf(createPublicKey(mine))))
}

/** True for a public key of age, X25519. */
export const isRecipient = (text: string): boolean => bytesOfBech32(text, 'age')?.length === 32

export const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

export const derived = (key: Buffer, salt: Buffer, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, 32))

// DER puts these bytes before the 32 bytes of an X25519 key (RFC 8410).
const PRIVATE_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex')
const PUBLIC_HEAD = Buffer.from('302a300506032b656e032100', 'hex')

const publicKeyFrom = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, raw]), format: 'der', type: 'spki' })

const rawOf = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length)

function publicKeyOf(recipient: string): KeyObject {
  const raw = bytesOfBech32(recipient, 'age')
  if (raw?.length !== 32) throw new Error(`${recipient} is no public key of age.`)
  return publicKeyFrom(raw)
}

const sharedKey = (privateKey: KeyObject, publicKey: KeyObject, share: Buffer, recipient: Buffer): Buffer =>
  derived(diffieHellman({ privateKey, publicKey }), Buffer.concat([share, recipient]), `${LABEL}/X25519`)

const keyOfPassphrase = (passphrase: string, salt: Buffer, work: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const cost = { N: 2 ** work, r: 8, p: 1, maxmem: 2 ** (work + 11) }
    scrypt(passphrase, Buffer.concat([Buffer.from(`${LABEL}/scrypt`), salt]), 32, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

// A nonce of zeros is safe, because each wrapping key is used once.
const NO_NONCE = Buffer.alloc(12)

function sealed(key: Buffer, wrapping: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', wrapping, NO_NONCE, { authTagLength: 16 })
  return Buffer.concat([cipher.update(key), cipher.final(), cipher.getAuthTag()])
}

function opened(body: Buffer, wrapping: Buffer): Buffer | undefined {
  if (body.length !== 32) return undefined
  const cipher = createDecipheriv('chacha20-poly1305', wrapping, NO_NONCE, { authTagLength: 16 })
  cipher.setAuthTag(body.subarray(16))
  const key = cipher.update(body.subarray(0, 16))
  try {
    cipher.final()
    return key
  } catch {
    return undefined
  }
}
