const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** Decodes a Bech32 text (BIP 173), the form of age's keys; undefined where the text is invalid or has another prefix. */
export function bytesOfBech32(text: string, prefix: string): Buffer | undefined {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return undefined
  if (!lower.startsWith(`${prefix}1`)) return undefined
  const values = Array.from(lower.slice(prefix.length + 1), (character) => CHARACTERS.indexOf(character))
  if (values.length < 6 || values.includes(-1) || checksum(prefix, values) !== 1) return undefined
  return bytesOfBits(values.slice(0, -6))
}

function checksum(prefix: string, values: readonly number[]): number {
  const codes = [...prefix].map((character) => character.charCodeAt(0))
  const all = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]
  return all.reduce((sum, value) => {
    const top = sum >>> 25
    const next = ((sum & 0x1ffffff) << 5) ^ value
    return GENERATOR.reduce((folded, term, bit) => ((top >> bit) & 1 ? folded ^ term : folded), next) >>> 0
  }, 1)
}

/** Regroups values of five bits into bytes; undefined unless the bits left over are fewer than five and all zero. */
function bytesOfBits(values: readonly number[]): Buffer | undefined {
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  for (const value of values) {
    held = (held << 5) | value
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 255)
    held &= (1 << bits) - 1
  }
  return bits < 5 && held === 0 ? Buffer.from(bytes) : undefined
}
