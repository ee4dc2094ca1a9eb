export type Bytes = Uint8Array<ArrayBuffer>
// oxlint-disable-next-line hostdesk/browser -- a signature must be checked here, by the reader; over plain HTTP `canVerify` says that it cannot be.
export const subtle = globalThis.crypto.subtle
const encoder = new TextEncoder()
export const bytesOf = (text: string): Bytes => encoder.encode(text)

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await subtle.digest('SHA-256', bytes))

export const hexOf = (bytes: Bytes): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const fromHex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export const joined = (...parts: readonly Bytes[]): Bytes => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Undoes the compression of a file inside of a PDF. */
export async function inflated(bytes: Bytes): Promise<Bytes> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
