import { must } from '#foundation/must.ts'

/**
 * Returns a random UUID (RFC 9562, version 4). `crypto.randomUUID` is missing on pages that come over plain HTTP from another
 * machine, so an installation in a LAN could send nothing with it.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (must(bytes[6]) & 0x0f) | 0x40
  bytes[8] = (must(bytes[8]) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
