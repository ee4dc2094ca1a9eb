import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** A file of an archive. `isPacked` stores its bytes as they are: documents that are compressed already would not shrink. */
export type ZippedFile = { path: string; isPacked?: boolean; content: Pieces }

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** An archive that is too large for its format: ZIP counts files in 16 bits, and bytes in 32 bits. */
export class ArchiveTooLarge extends Error {}

const MOST_FILES = 65_535
const MOST_BYTES = 0xff_ff_ff_ff

/** Yields the bytes of a ZIP archive, file by file, so that years of documents fill no memory. Throws ArchiveTooLarge. */
export async function* zipped(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = []
  let [count, bytes] = [0, 0]
  const zip = new Zip((fault, piece) => {
    if (fault) throw fault
    bytes += piece.length
    written.push(piece)
  })
  for await (const { path, isPacked = false, content } of files) {
    count += 1
    const file = isPacked ? new ZipPassThrough(path) : new ZipDeflate(path)
    zip.add(file)
    for await (const piece of content) {
      file.push(piece)
      yield* written.splice(0)
    }
    file.push(new Uint8Array(0), true)
    yield* written.splice(0)
    if (count > MOST_FILES || bytes > MOST_BYTES) throw new ArchiveTooLarge('the archive is too large')
  }
  zip.end()
  yield* written.splice(0)
}
