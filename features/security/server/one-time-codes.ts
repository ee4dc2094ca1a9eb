import { createHmac } from 'node:crypto'

/** A code of six digits for a counter (HOTP with SHA-1, RFC 4226), as all authenticator apps make them. */
export function codeFor(key: Buffer, counter: bigint): string {
  const moving = Buffer.alloc(8)
  moving.writeBigUInt64BE(counter)
  const digest = createHmac('sha1', key).update(moving).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 of RFC 4648 without padding. Five bytes are eight letters, so our secrets of 20 bytes would have no padding anyway. */
export function toBase32(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0]
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += letters[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + letters[(held << (5 - bits)) & 31] : text
}

/** Decodes base32 without padding. Throws if a letter is not in base32. */
export function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let [bits, held] = [0, 0]
  for (const letter of text) {
    const value = letters.indexOf(letter)
    if (value < 0) throw new Error('not base32')
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >>> bits) & 0xff)
  }
  return Buffer.from(bytes)
}
