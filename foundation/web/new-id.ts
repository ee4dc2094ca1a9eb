import { must } from '#foundation/must.ts'

/**
 * A random UUID (RFC 9562, version 4). Not by `crypto.randomUUID`, which is missing on a page that came over plain HTTP from
 * another machine: an account area in a LAN could then not send a word.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (must(bytes[6]) & 0x0f) | 0x40
  bytes[8] = (must(bytes[8]) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
