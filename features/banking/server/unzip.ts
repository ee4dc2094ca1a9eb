import { inflateRawSync } from 'node:zlib'
import { unreadable } from './statement.ts'

// Two years have some five hundred statements. The attack is a small file that unpacks to more than the memory holds.
const MOST_MEMBERS = 2_000
const MOST_BYTES = 40_000_000

/** A file of a ZIP. `content` is undefined if it is encrypted or cannot be unpacked. */
type Member = { name: string; isEncrypted: boolean; content: Buffer | undefined }

/**
 * Returns the files of a ZIP, without folders and what macOS and Windows add to each folder. One file that cannot be unpacked does not keep
 * the others from being read. Throws StatementError if it is no ZIP, has no file or exceeds a limit.
 */
export function unzipped(zip: Buffer): Member[] {
  const members = entriesOf(zip).filter(({ name }) => !isClutter(name))
  if (members.length === 0 || members.length > MOST_MEMBERS) throw unreadable()
  let left = MOST_BYTES
  return members.map((entry) => {
    const content = entry.isEncrypted ? undefined : contentOf(zip, entry, left)
    left -= content?.length ?? 0
    return { name: entry.name, isEncrypted: entry.isEncrypted, content }
  })
}

const isClutter = (name: string): boolean =>
  name.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(name)

type Entry = { name: string; isEncrypted: boolean; method: number; packed: number; at: number }

const END = 0x06_05_4b_50
const END_BYTES = 22
const ENTRY = 0x02_01_4b_50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30

/** Reads the list of files at the end of a ZIP (its central directory): only there are all sizes given. */
function entriesOf(zip: Buffer): Entry[] {
  // A comment of up to 65,535 bytes may follow the record at the end.
  let end = zip.length - END_BYTES
  const earliest = Math.max(0, end - 65_535)
  while (end >= earliest && zip.readUInt32LE(end) !== END) end -= 1
  if (end < earliest || end < 0) throw unreadable()
  const entries: Entry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (at + ENTRY_BYTES > zip.length || zip.readUInt32LE(at) !== ENTRY) throw unreadable()
    const flags = zip.readUInt16LE(at + 8)
    const [name, extra, comment] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ]
    const bytes = zip.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + name)
    entries.push({
      name: bytes.toString((flags & 0x8_00) === 0 ? 'latin1' : 'utf8'),
      isEncrypted: (flags & 1) === 1,
      method: zip.readUInt16LE(at + 10),
      packed: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    })
    at += ENTRY_BYTES + name + extra + comment
  }
  return entries
}

const [STORED, DEFLATED] = [0, 8]

/** Returns the bytes of a file; undefined if they are damaged or packed in another way. Throws if it unpacks to more than `most` bytes. */
function contentOf(zip: Buffer, { method, packed, at }: Entry, most: number): Buffer | undefined {
  if (at + LOCAL_BYTES > zip.length) return undefined
  const from = at + LOCAL_BYTES + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  const bytes = zip.subarray(from, from + packed)
  if (method === STORED) return bytes.length > most ? tooLarge() : bytes
  if (method !== DEFLATED) return undefined
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    return error instanceof RangeError ? tooLarge() : undefined
  }
}

function tooLarge(): never {
  throw unreadable()
}
