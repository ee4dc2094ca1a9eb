import { Unzip, UnzipInflate } from 'fflate'
import { unreadable } from './statement.ts'

// A month has some thirty statements. The attack is a small file that unpacks to more than the memory holds.
const MOST_ENTRIES = 100
const MOST_BYTES = 40_000_000

/** Returns the files of a ZIP, each in pieces, without folders. Throws StatementError if it is no ZIP, has no file or exceeds a limit. */
export async function unzipped(pieces: AsyncIterable<Buffer>): Promise<Buffer[][]> {
  const entries: Buffer[][] = []
  let bytes = 0
  const unzip = new Unzip((file) => {
    if (file.name.endsWith('/')) return
    if (entries.length >= MOST_ENTRIES) throw unreadable()
    const entry: Buffer[] = []
    entries.push(entry)
    file.ondata = (error, data) => {
      if (!error) bytes += data.length
      if (error || bytes > MOST_BYTES) throw unreadable()
      entry.push(Buffer.from(data))
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for await (const piece of pieces) unzip.push(piece)
    unzip.push(new Uint8Array(0), true)
  } catch {
    throw unreadable()
  }
  if (entries.length === 0) throw unreadable()
  return entries
}
