import { createHmac, timingSafeEqual } from 'node:crypto'
import { digestKeys, type Keys } from '#foundation/server/keys.ts'

/**
 * Returns the key by which the reader of a letter stops news without signing in. It is the account and a proof of it, so that nothing is
 * stored for a letter, and an old letter still works.
 */
export const newsKeyOf = (keys: Keys, user_id: string): string =>
  Buffer.concat([bytesOf(user_id), proofOf(keys.digests, user_id)]).toString('base64url')

/** Returns the account of a key; undefined for a key that this installation has not made. */
export function readerOf(keys: Keys, key: string): string | undefined {
  const bytes = Buffer.from(key, 'base64url')
  if (bytes.length !== ID_BYTES + PROOF_BYTES) return undefined
  const user_id = bytes
    .toString('hex', 0, ID_BYTES)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
  const given = bytes.subarray(ID_BYTES)
  return digestKeys(keys).some((one) => timingSafeEqual(proofOf(one, user_id), given)) ? user_id : undefined
}

const ID_BYTES = 16
const PROOF_BYTES = 32

const bytesOf = (user_id: string): Buffer => Buffer.from(user_id.replaceAll('-', ''), 'hex')

const proofOf = (key: Uint8Array, user_id: string): Buffer =>
  createHmac('sha256', key).update(`news:${user_id}`).digest()
