import { bytes, u16le, u32 } from './hostile-bytes.ts'

/** A picture of a phone: 48 × 64 points, stored lying and turned by a mark of the camera, with a place in Berlin. */
export const phonePicture: Buffer = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAchtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRpbG9jAAAAAERAAAIAAQAAAAAB7AABAAAAAAAAAGwAAgAAAAACWAABAAAAAAAAAKgAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABodmMxAAAAABVpbmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAABB2lwcnAAAADmaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uAhoMCAAAAMDIAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5jbHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAAEAAAAABAAAAMAAAAAEAAAAAAAAAAv////AAAAACAAAAEHBpeGkAAAAAAwgICAAAAAlpcm90AwAAABlpcG1hAAAAAAAAAAEAAQaBAgMFhIYAAAAaaXJlZgAAAAAAAAAOY2RzYwACAAEAAQAAARxtZGF0AAAAaCgBrxOA5TH2vtP+4Tj+5yZk6gxC/85U+i6y8SCLEG87JdT//qmYsfnLC79g3dtD8p/6LLElM/szqq7/Zr/kayWe4FStHV6TVcMKZWxupNg0F7ilD5Ah7xPY3x4o7b1frXfVGUoXGUQKAAAABkV4aWYAAE1NACoAAAAIAAMBDwACAAAABgAAADIBEgADAAAAAQAGAACIJQAEAAAAAQAAADgAAAAAUGhvbmUAAAQAAQACAAAAAk4AAAAAAgAFAAAAAwAAAG4AAwACAAAAAkUAAAAABAAFAAAAAwAAAIYAAAAAAAAANAAAAAEAAAAfAAAAAQAAAAwAAAABAAAADQAAAAEAAAAYAAAAAQAAABIAAAAB',
  'base64',
)

const coded = phonePicture.subarray(0x1ec, 0x1ec + 0x6c)
const u16 = (value: number) => u16le(value).toReversed()
const box = (kind: string, ...parts: Parameters<typeof bytes>) => {
  const content = bytes(...parts)
  return bytes(u32(content.length + 8), kind, content)
}

type Size = readonly [width: number, height: number]

/**
 * The phone's picture without its turn and cut: `claimed` is the size in the header of the file, `drawn` the one that its decoder is told.
 * It has `times` times the same bytes for its points, which are the phone's ones where `points` are not given.
 */
export function heic(claimed: Size, drawn: Size, points: Buffer = coded, times = 1): Buffer {
  const head = box('ftyp', 'heic', u32(0), 'mif1heic')
  const meta = (at: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0), u32(0), 'pict', u32(0), u32(0), u32(0), [0]),
      box('pitm', u32(0), u16(1)),
      box('iloc', u32(0), [0x44, 0], u16(1), u16(1), u16(0), u16(times), extents(times, at, points.length)),
      box('iinf', u32(0), u16(1), box('infe', [2, 0, 0, 0], u16(1), u16(0), 'hvc1', [0])),
      box(
        'iprp',
        box('ipco', settings(...drawn), box('ispe', u32(0), u32(claimed[0]), u32(claimed[1]))),
        box('ipma', u32(0), u32(1), u16(1), [2, 0x81, 2]),
      ),
    )
  return bytes(head, meta(head.length + meta(0).length + 8), box('mdat', points))
}

const extents = (times: number, at: number, length: number) =>
  Buffer.concat(Array.from({ length: times }, () => bytes(u32(at), u32(length))))

/** The phone's settings of the decoder with another width and height. They hold three units of bytes, each behind its length. */
function settings(width: number, height: number): Buffer {
  const begin = phonePicture.indexOf('hvcC') + 4
  const all = phonePicture.subarray(begin, begin + 110)
  const sizes = all.indexOf(Buffer.from([0x42, 1, 1, 3]))
  const end = sizes + all.readUInt16BE(sizes - 2)
  const changed = resized(all.subarray(sizes, end), width, height)
  return box('hvcC', all.subarray(0, sizes - 2), u16(changed.length), changed, all.subarray(end))
}

// Width and height stand behind these bits, in 13 bits each for 64 points.
const BEFORE = 15 * 8 + 4

/** Width and height in a unit of H.265, in which a 3 stands behind two empty bytes, lest they look like the beginning of the next unit. */
function resized(unit: Buffer, width: number, height: number): Buffer {
  const plain = Buffer.from(unit.toString('hex').replaceAll(/(?<=^(?:..)*0000)03/g, ''), 'hex')
  const bits = [...plain].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const next = bits.slice(0, BEFORE) + golomb(width) + golomb(height) + bits.slice(BEFORE + 26)
  const whole = next.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? []
  return Buffer.from(
    Buffer.from(whole)
      .toString('hex')
      .replaceAll(/(?<=^(?:..)*)0000(?=0[0-3])/g, '000003'),
    'hex',
  )
}

/** A number in the code of H.265: as many zeros as it has bits behind its first. */
function golomb(value: number): string {
  const bits = (value + 1).toString(2)
  return '0'.repeat(bits.length - 1) + bits
}
