import { inflateRawSync } from 'node:zlib'
import { must } from '#foundation/must.ts'

type Signature = { type: string; at?: number; bytes: string | readonly number[] }

/** The first bytes of files that programs show without running them. The more exact signatures come first. */
const signatures: readonly Signature[] = [
  { type: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', bytes: 'GIF8' },
  { type: 'image/bmp', bytes: 'BM' },
  { type: 'image/tiff', bytes: [0x49, 0x49, 0x2a, 0x00] },
  { type: 'image/tiff', bytes: [0x4d, 0x4d, 0x00, 0x2a] },
  { type: 'image/x-icon', bytes: [0x00, 0x00, 0x01, 0x00] },
  { type: 'image/vnd.adobe.photoshop', bytes: '8BPS' },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/flac', bytes: 'fLaC' },
  { type: 'audio/midi', bytes: 'MThd' },
  { type: 'audio/amr', bytes: '#!AMR' },
  { type: 'video/x-flv', bytes: 'FLV\u0001' },
  { type: 'video/mpeg', bytes: [0x00, 0x00, 0x01, 0xba] },
  { type: 'font/woff', bytes: 'wOFF\u0000\u0001\u0000\u0000' },
  { type: 'font/woff', bytes: 'wOFFOTTO' },
  { type: 'font/woff2', bytes: 'wOF2\u0000\u0001\u0000\u0000' },
  { type: 'font/woff2', bytes: 'wOF2OTTO' },
  { type: 'font/otf', bytes: 'OTTO\u0000' },
  { type: 'font/ttf', bytes: [0x00, 0x01, 0x00, 0x00, 0x00] },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/gzip', bytes: [0x1f, 0x8b, 0x08] },
  { type: 'application/zstd', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { type: 'application/x-bzip2', bytes: 'BZh' },
  { type: 'application/x-xz', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { type: 'application/x-7z-compressed', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { type: 'application/x-rar-compressed', bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
  { type: 'application/x-tar', at: 257, bytes: 'ustar' },
]

/** The types of RIFF files by the word at byte 8, and (`brands`) of ISO media files by the brand at byte 8. */
const riff: Record<string, string> = {
  WEBP: 'image/webp',
  WAVE: 'audio/wav',
  'AVI ': 'video/vnd.avi',
}
const brands: Record<string, string> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  hevc: 'image/heic-sequence',
  hevx: 'image/heic-sequence',
  mif1: 'image/heif',
  msf1: 'image/heif-sequence',
  'qt  ': 'video/quicktime',
  'M4A ': 'audio/x-m4a',
  'M4V ': 'video/x-m4v',
}

/** The beginning of text that some program runs or draws: the type of such a file is unknown bytes, not text. */
const marked = /^(?:\uFEFF)?\s*(?:<\?xml|<svg|<!doctype|<html|\{\\rtf|%!|BEGIN:V)/i

/** The media type by the first bytes of a file; undefined if they match none. */
export function signatureOf(head: Buffer): string | undefined {
  const word = (at: number) => head.toString('latin1', at, at + 4)
  if (word(0) === 'PK\u0003\u0004') return zipType(head)
  if (word(0) === 'RIFF') return riff[word(8)]
  if (word(0) === 'OggS') return oggType(head)
  if (word(0) === '\u001aE\u00df\u00a3') return matroskaType(head)
  if (word(4) === 'ftyp' && /^[\w ]{4}$/.test(word(8)))
    return brands[word(8)] ?? (word(8).startsWith('3g') ? 'video/3gpp' : 'video/mp4')
  const known = signatures.find(({ at = 0, bytes }) => {
    const begin = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
    return head.subarray(at, at + begin.length).equals(begin)
  })
  return known?.type ?? (isMp3(head) ? 'audio/mpeg' : undefined)
}

export const isMarkup = (head: Buffer): boolean => marked.test(head.toString('utf8', 0, 512))

/** The first page of an Ogg stream names its content. */
function oggType(head: Buffer): string | undefined {
  const begins = (names: string[]) =>
    names.some((name) => head.toString('latin1', 28, 28 + name.length) === name)
  if (begins(['\u0001vorbis', 'OpusHead', '\u007fFLAC', 'Speex   '])) return 'audio/ogg'
  return begins(['\u0080theora', '\u0001video']) ? 'video/ogg' : undefined
}

/** Matroska names its kind near the beginning: the element 4282, a length of one byte, and the word. */
function matroskaType(head: Buffer): string | undefined {
  const at = head.subarray(0, 80).indexOf(Buffer.from([0x42, 0x82]))
  const kind = at < 0 ? '' : head.toString('latin1', at + 3, at + 3 + (must(head[at + 2]) & 0x7f))
  if (kind === 'webm') return 'video/webm'
  return kind === 'matroska' ? 'video/matroska' : undefined
}

/** A frame of MPEG layer III begins with eleven bits of one, and has a bit rate and a sample rate that exist. */
function isMp3(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = head
  return first === 0xff && (second & 0xe6) === 0xe2 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.'
const openXml: Record<string, string> = {
  'word/': `${OPEN_XML}wordprocessingml.document`,
  'xl/': `${OPEN_XML}spreadsheetml.sheet`,
  'ppt/': `${OPEN_XML}presentationml.presentation`,
}

/** Office files are ZIP archives; an OpenDocument file names its type in the first entry. Undefined for an office file with macros. */
function zipType(head: Buffer): string | undefined {
  const entries = [...entriesIn(head)]
  const [first] = entries
  if (first?.name === 'mimetype') {
    const [stored = ''] = first.stored.toString('latin1', 0, 200).split('PK')
    return /^application\/vnd\.oasis\.opendocument\.[\w.-]+$/.test(stored) ? stored : undefined
  }
  const kind = entries.map(({ name }) => /^(?:word|xl|ppt)\//.exec(name)?.[0]).find(Boolean)
  if (!kind || !entries.some(({ name }) => name === '[Content_Types].xml' || name.startsWith('_rels/')))
    return first?.name === 'META-INF/MANIFEST.MF' ? undefined : 'application/zip'
  const types = entries.find(({ name }) => name === '[Content_Types].xml')
  const hasMacros =
    entries.some(({ name }) => name.endsWith('vbaProject.bin')) ||
    (types !== undefined && (inflated(types.stored)?.includes('macroEnabled') ?? true))
  return hasMacros ? undefined : openXml[kind]
}

/** Yields the entries of a ZIP archive whose headers are in these bytes, each with the bytes after its header. */
function* entriesIn(head: Buffer): Generator<{ name: string; stored: Buffer }> {
  for (let at = 0; at >= 0 && at + 30 <= head.length; at = head.indexOf('PK\u0003\u0004', at + 4, 'latin1')) {
    const start = at + 30 + head.readUInt16LE(at + 26)
    const name = head.toString('utf8', at + 30, start)
    yield { name, stored: head.subarray(start + head.readUInt16LE(at + 28)) }
  }
}

/**
 * Returns the unpacked text of a ZIP entry as far as its bytes are given. An entry that is not packed is returned as it is; undefined for an
 * entry that is larger than 256 KiB, whatever size it claims.
 */
function inflated(stored: Buffer): string | undefined {
  try {
    return inflateRawSync(stored, { finishFlush: 2, maxOutputLength: 1 << 18 }).toString('utf8')
  } catch (error) {
    return error instanceof RangeError ? undefined : stored.toString('latin1')
  }
}
