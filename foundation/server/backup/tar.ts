/** An entry of an archive, held in memory as a whole: some MB of rows, or one uploaded file (at most 20 MB). */
export type Entry = { name: string; body: Buffer }

const BLOCK = 512
const NAME_BYTES = 100

/** Returns an entry as tar writes it (POSIX ustar), so that any tar program opens an archive. Names have at most 100 bytes. */
export function tarEntry({ name, body }: Entry, at: Date): Buffer[] {
  const header = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`the name is too long for an archive: ${name}`)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${octal(body.length, 11)}\0`, 124)
  header.write(`${octal(Math.floor(at.getTime() / 1000), 11)}\0`, 136)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return [header, body, Buffer.alloc(paddingOf(body.length))]
}

export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK)

/** Reads the entries of a tar archive, in order. Throws where the source is no such archive, or is cut short. */
export async function* tarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const read = readerOf(source)
  for (;;) {
    const header = await read(BLOCK)
    if (!header) throw new Error('The backup is cut short.')
    if (header.every((byte) => byte === 0)) {
      // The rest is read as well, so that a damage at the very end is seen by gzip and age.
      while (await read(BLOCK));
      return
    }
    if (header.toString('latin1', 257, 262) !== 'ustar')
      throw new Error('This file is no backup of Hostdesk.')
    // A name of 100 bytes fills its field, and no NUL ends it.
    const name = header.toString('utf8', 0, Math.min(header.indexOf(0), NAME_BYTES))
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
    const body = await read(size + paddingOf(size))
    if (!body) throw new Error('The backup is cut short.')
    yield { name, body: body.subarray(0, size) }
  }
}

/** Returns a function that reads `size` bytes, or returns undefined where fewer are left. */
function readerOf(source: AsyncIterable<Buffer>): (size: number) => Promise<Buffer | undefined> {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let length = 0
  return async (size) => {
    while (length < size) {
      const next = await chunks.next()
      if (next.done) return undefined
      held.push(next.value)
      length += next.value.length
    }
    const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held, length)
    held = [all.subarray(size)]
    length -= size
    return all.subarray(0, size)
  }
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK
const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
