import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { unreadable } from './statement.ts'

const MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const

const PIECE_BYTES = 65_536

/**
 * Returns the text of a file in pieces. A mark at its beginning says the encoding, then zeros between the letters (UTF-16), then whether the
 * bytes are UTF-8: Latin letters in another encoding almost never are. Only for other bytes counts `named`, the encoding that somebody gave.
 */
export function* textOf(bytes: Buffer, named: string | undefined): Generator<string> {
  const [marked, mark] = MARKS.find(([, start]) => start.every((byte, place) => bytes[place] === byte)) ?? []
  const content = bytes.subarray(mark?.length ?? 0)
  const decoder = iconv.getDecoder(
    marked ?? (utf16In(content) || (isUtf8(content) ? 'utf-8' : singleByte(named))),
  )
  for (let from = 0; from < content.length; from += PIECE_BYTES)
    yield sound(decoder.write(content.subarray(from, from + PIECE_BYTES)))
  yield sound(decoder.end() ?? '')
}

// PostgreSQL cannot store NUL, and no encoding of a bank has it.
function sound(piece: string): string {
  return piece.includes('\0') ? refuse() : piece
}

/** Returns the form of UTF-16 that has its zeros where those of Latin letters are; '' if it is another encoding. */
function utf16In(content: Buffer): 'utf-16le' | 'utf-16be' | '' {
  const sample = content.subarray(0, 2_000)
  const zeros = [0, 0]
  for (const [place, byte] of sample.entries()) if (byte === 0) zeros[place % 2] = (zeros[place % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const least = sample.length / 4
  return odd > least && even < least / 4 ? 'utf-16le' : even > least && odd < least / 4 ? 'utf-16be' : ''
}

/** Encodings with one byte a letter, of which the bytes themselves do not say which one it is. */
const SINGLE = /^(?:us-ascii|iso-8859-(?:1|2|9|15)|windows-125[0-8]|cp850|cp852|cp437|macintosh)$/i

// Windows-1252 has all letters of ISO 8859-1 at the same places. Banks name UTF-8 and send Windows-1252.
const singleByte = (named = 'utf-8'): string =>
  /^utf-?8$/i.test(named) ? 'windows-1252' : SINGLE.test(named) ? named : refuse()

function refuse(): never {
  throw unreadable()
}

/** Returns the encoding that an XML file names; undefined if it names none. */
export function encodingNamedIn(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 1000).toString('latin1').replaceAll('\0', '')
  return /^[^<]{0,3}<\?xml[^>]*\bencoding=["']([\w-]+)["']/.exec(head)?.[1]
}
