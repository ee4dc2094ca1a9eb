import { createHmac, timingSafeEqual } from 'node:crypto'
import { paths } from '#features/paths.ts'
import type { MailKind } from '#features/profile/rules.ts'
import { digestKeys, type Keys } from '#foundation/server/keys.ts'
import type { MailContext } from '#foundation/server/mail/mail-template.ts'

/** The kinds of mail that a click in them stops. */
export type Stoppable = Exclude<MailKind, 'new_tickets'>

/**
 * Returns the key by which the reader of a letter stops letters of its kind without signing in. It is the account and a proof of it, so that
 * nothing is stored for a letter, and an old letter still works.
 */
export const stopKeyOf = (keys: Keys, user_id: string, kind: Stoppable): string =>
  Buffer.concat([bytesOf(user_id), proofOf(keys.digests, user_id, kind)]).toString('base64url')

export const newsKeyOf = (keys: Keys, user_id: string): string => stopKeyOf(keys, user_id, 'news')

/** Returns the account of a key, and what it stops; undefined for a key that this installation has not made. */
export function readerOf(keys: Keys, key: string): { user_id: string; kind: Stoppable } | undefined {
  const bytes = Buffer.from(key, 'base64url')
  if (bytes.length !== ID_BYTES + PROOF_BYTES) return undefined
  const user_id = bytes
    .toString('hex', 0, ID_BYTES)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
  const given = bytes.subarray(ID_BYTES)
  const kind = kinds.find((one) =>
    digestKeys(keys).some((own) => timingSafeEqual(proofOf(own, user_id, one), given)),
  )
  return kind && { user_id, kind }
}

/** Returns what a letter says to be stopped by: its page, and the call for the one click of mail programs. */
export const stopBy = (
  { link, callAt }: Pick<MailContext, 'link' | 'callAt'>,
  kind: Stoppable,
  key: string,
) => ({
  page: link(paths.stopNews(), { key, ...(kind !== 'news' && { kind }) }),
  call: callAt(`/api/news/stop/?key=${key}`),
  ...(kind !== 'news' && { such: true as const }),
})

const ID_BYTES = 16
const PROOF_BYTES = 32
const kinds = ['news', 'ticket_replies', 'ticket_closing'] as const

const bytesOf = (user_id: string): Buffer => Buffer.from(user_id.replaceAll('-', ''), 'hex')

const proofOf = (key: Uint8Array, user_id: string, kind: Stoppable): Buffer =>
  createHmac('sha256', key).update(`${kind}:${user_id}`).digest()
