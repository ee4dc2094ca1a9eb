import { createCipheriv, createDecipheriv } from 'node:crypto'

const CHUNK = 65_536
const TAG = 16

/**
 * Encrypts the plain bytes in chunks of 64 KiB. The nonce of each chunk holds its number and marks the last one, so that a missing or a
 * moved chunk is noticed.
 */
export async function* sealChunks(key: Buffer, plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let place = 0
  for await (const { bytes, isLast } of chunksOf(plain, CHUNK)) {
    const cipher = createCipheriv('chacha20-poly1305', key, nonceOf(place++, isLast), { authTagLength: TAG })
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts the chunks. Throws if a chunk is damaged or the end is missing. */
export async function* openChunks(key: Buffer, sealed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let place = 0
  for await (const { bytes, isLast } of chunksOf(sealed, CHUNK + TAG)) {
    const cipher = createDecipheriv('chacha20-poly1305', key, nonceOf(place++, isLast), {
      authTagLength: TAG,
    })
    const end = bytes.length - TAG
    if (end < 0) throw new Error('The backup is cut short.')
    cipher.setAuthTag(bytes.subarray(end))
    const plain = cipher.update(bytes.subarray(0, end))
    try {
      cipher.final()
    } catch (error) {
      throw new Error('The backup is cut short or damaged.', { cause: error })
    }
    yield plain
  }
}

function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(place), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Splits the source into full chunks and a last one that may be shorter. An empty source gives one empty chunk. */
async function* chunksOf(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length > size) {
      yield { bytes: held.subarray(0, size), isLast: false }
      held = held.subarray(size)
    }
  }
  yield { bytes: held, isLast: true }
}
