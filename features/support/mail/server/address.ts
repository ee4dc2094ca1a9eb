import { createHmac, timingSafeEqual } from 'node:crypto'
import { digestKeys, type Keys } from '#foundation/server/keys.ts'
import type { MailIn } from './settings.ts'

/** An address takes either the answers of a person, or what comes back of the mails to them. */
export type Purpose = 'answer' | 'return'

/** The row that an address names; the proof covers all of it. */
export type Named = { id: bigint; ticket_id: bigint; user_id: string }

const VERSION = 't1'
const ID_LETTERS = 8
const PROOF_LETTERS = 26
// Crockford's base32: without letters that look like digits.
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Returns the address for the answers of one person in one ticket, or for what comes back. Its proof has 130 bits: who knows no such address
 * can write into no ticket, whatever else they know of it.
 */
export const addressOf = (keys: Keys, { local, domain }: MailIn, purpose: Purpose, named: Named): string =>
  `${local}+${VERSION}-${idText(named.id)}${proofOf(keys.digests, purpose, named)}@${domain}`

/**
 * Reads the id and the proof in an address of this installation; undefined for another address, and for one that was cut off. Mail servers
 * change the case of addresses, and people take l for 1 and o for 0.
 */
export function readAddress({ local, domain }: MailIn, address: string): Read | undefined {
  const written = address.toLowerCase()
  const [before, after] = [`${local}+${VERSION}-`, `@${domain}`]
  if (!written.startsWith(before) || !written.endsWith(after)) return undefined
  const token = written.slice(before.length, -after.length).replaceAll(/[il]/g, '1').replaceAll('o', '0')
  if (token.length !== ID_LETTERS + PROOF_LETTERS || [...token].some((letter) => !letters.includes(letter)))
    return undefined
  const id = Array.from(token.slice(0, ID_LETTERS)).reduce(
    (sum, one) => sum * 32n + BigInt(letters.indexOf(one)),
    0n,
  )
  return { id, proof: token.slice(ID_LETTERS) }
}

export type Read = { id: bigint; proof: string }

/** True for any address that looks like one of ours, also if it is cut off or was never given out. */
export const looksLikeOurs = ({ local, domain }: MailIn, address: string): boolean => {
  const written = address.toLowerCase()
  return written.startsWith(`${local}+`) && written.endsWith(`@${domain}`)
}

/** True for the address that opens tickets, and for any that looks like one for answers. */
export const isOurAddress = (mailIn: MailIn, address: string): boolean =>
  address.toLowerCase() === mailIn.address || looksLikeOurs(mailIn, address)

/** Returns what the proof proves; undefined where it proves nothing. Each proof is compared in the same time. */
export function provenPurpose(keys: Keys, named: Named, proof: string): Purpose | undefined {
  const given = Buffer.from(proof)
  return (['answer', 'return'] as const).find((purpose) =>
    digestKeys(keys).some((key) => timingSafeEqual(Buffer.from(proofOf(key, purpose, named)), given)),
  )
}

function proofOf(key: Uint8Array, purpose: Purpose, { id, ticket_id, user_id }: Named): string {
  const words = `reply-address:${VERSION}:${id}:${ticket_id}:${user_id}:${purpose}`
  const bits = [...createHmac('sha256', key).update(words).digest().subarray(0, 17)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  return Array.from({ length: PROOF_LETTERS }, (_, at) =>
    letters.charAt(Number.parseInt(bits.slice(at * 5, at * 5 + 5), 2)),
  ).join('')
}

const idText = (id: bigint): string =>
  Array.from({ length: ID_LETTERS }, (_, at) =>
    letters.charAt(Number((id >> BigInt(5 * (7 - at))) & 31n)),
  ).join('')
