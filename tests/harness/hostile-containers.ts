import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { bytes, chunk, MARK, PNG, script, svg, u16le, u32le } from './hostile-bytes.ts'
import { must } from '#foundation/must.ts'

/** Files that hold other files, unpack to far more than their size, never end, or are disguised, by name. */
export async function hostileContainers(): Promise<Record<string, Buffer>> {
  return { ...archives(), ...(await unfolding()), ...endless(), ...disguised() }
}

function archives(): Record<string, Buffer> {
  const inner = zip({ 'a.zip': zip({ 'b.zip': zip({ 'zeros.bin': Buffer.alloc(5_000_000) }) }) })
  return {
    'leads-out.zip': zip({ '../../../../tmp/hostdesk-was-here.html': Buffer.from(script) }),
    'leads-out.tar': tar('../../../../tmp/hostdesk-was-here.html', '0', ''),
    'link.tar': tar('passwd', '2', '/etc/passwd'),
    'nested.zip': inner,
    'program.jar': zip({
      'META-INF/MANIFEST.MF': Buffer.from('Main-Class: X'),
      'X.class': Buffer.from(MARK),
    }),
    'macro.docm': zip({
      '[Content_Types].xml': Buffer.from(
        '<Types><Default ContentType="application/vnd.ms-word.document"/></Types>',
      ),
      'word/vbaProject.bin': Buffer.from(MARK),
    }),
    'book.epub': zip({ mimetype: Buffer.from('application/epub+zip'), 'page.xhtml': Buffer.from(script) }),
    'entities.xlsx': zip({
      '[Content_Types].xml': Buffer.from(
        `<!DOCTYPE a [<!ENTITY b "x">${'<!ENTITY c "&b;&b;">'.repeat(500)}]><Types>&c;</Types>`,
      ),
    }),
    'page.html.gz': gzipSync(`<html>${script}</html>`),
    'picture.svgz': gzipSync(svg),
    'zeros.gz': gzipSync(Buffer.alloc(20_000_000)),
  }
}

/** Pictures that unpack to hundreds of times their size: by texts, colour profiles, frames or the size that they claim. */
async function unfolding(): Promise<Record<string, Buffer>> {
  const small = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const zeros = deflateSync(Buffer.alloc(50_000_000))
  const within = (kind: string, data: Buffer) =>
    bytes(small.subarray(0, 33), chunk(kind, data), small.subarray(33))
  const frames = Array.from({ length: 20_000 }, () =>
    bytes([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]),
  )
  return {
    'text-bomb.png': within('zTXt', bytes('Comment\0\0', zeros)),
    'profile-bomb.png': within('iCCP', bytes('x\0\0', zeros)),
    'many-words.png': bytes(
      small.subarray(0, 33),
      ...Array.from({ length: 20_000 }, (_, n) => chunk('tEXt', bytes(`k${n}\0${MARK}`))),
      small.subarray(33),
    ),
    'many-frames.gif': bytes('GIF89a', u16le(1), u16le(1), [0x80, 0, 0, 0, 0, 0, 255, 255, 255], ...frames, [
      0x3b,
    ]),
    'bomb.avif': await largeAvif(),
    'bomb.bmp': bytes(
      'BM',
      u32le(0),
      u32le(0),
      u32le(54),
      u32le(40),
      u32le(0x7fffffff),
      u32le(0x7fffffff),
      [1, 0, 24, 0],
    ),
    'bomb.ico': bytes([0, 0, 1, 0, 255, 255], Buffer.alloc(2000, 255)),
  }
}

/** An AVIF that claims to be 65,535 × 65,535 points. */
async function largeAvif(): Promise<Buffer> {
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
  const made = Buffer.from(await picture.avif().toBuffer())
  const size = made.indexOf('ispe')
  made.writeUInt32BE(65_535, size + 8)
  made.writeUInt32BE(65_535, size + 12)
  return made
}

/** Files that a reader may never finish: lists whose entries lead back to themselves, and pictures that announce ever more scans. */
function endless(): Record<string, Buffer> {
  const scan = bytes([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0x01], [0])
  const progressive = bytes([0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0x1f, 0x40, 0x1f, 0x40, 1, 1, 0x11, 0])
  return {
    'loop.tiff': bytes('II', [42, 0], u32le(8), [0, 0], u32le(8)),
    'scans.jpg': bytes(progressive, ...Array.from({ length: 5000 }, () => scan), [0xff, 0xd9]),
    'loop.gif': bytes('GIF89a', u16le(4000), u16le(4000), [0, 0, 0, 0x21, 0xff, 0], Buffer.alloc(5000, 1)),
    'loop.woff2': bytes('wOF2', Buffer.alloc(2000, 255)),
    'loop.wasm': bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], Buffer.alloc(200, 3)),
  }
}

/** Pages and programs behind the first bytes or the ending of something harmless. */
const disguised = (): Record<string, Buffer> => ({
  'page-behind.png': bytes(PNG, script),
  'page-behind.pdf': bytes(`<html>${script}</html>\n%PDF-1.4`),
  'page-behind.mp3': bytes('ID3', [3, 0, 0, 0, 0, 0, 9], `<html>${script}</html>`),
  'far-behind.txt': bytes(' '.repeat(1500), `<html>${script}</html>`),
  'program.hta': bytes(`<hta:application>${script}`),
  'autorun.inf': bytes(`[autorun]\r\nopen=${MARK}`),
})

/** A ZIP with these files, each packed. */
function zip(files: Record<string, Buffer>): Buffer {
  let at = 0
  const [local, central]: [Buffer[], Buffer[]] = [[], []]
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const facts = bytes(
      [20, 0, 0, 0, 8, 0, 0, 0, 0, 0],
      u32le(crc32(content)),
      u32le(packed.length),
      u32le(content.length),
      u16le(name.length),
      [0, 0],
    )
    local.push(bytes('PK\x03\x04', facts, name, packed))
    central.push(bytes('PK\x01\x02', [20, 0], facts, Buffer.alloc(10), u32le(at), name))
    at += must(local.at(-1)).length
  }
  const count = u16le(central.length)
  const length = central.reduce((sum, part) => sum + part.length, 0)
  return bytes(
    ...local,
    ...central,
    'PK\x05\x06',
    [0, 0, 0, 0],
    count,
    count,
    u32le(length),
    u32le(at),
    [0, 0],
  )
}

/** A tape archive of one entry: `kind` 0 is a file, 2 a link to `target`. */
function tar(name: string, kind: string, target: string): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0)
  head.write('0000644\0', 100)
  head.write('00000000000\0', 124)
  head.write('        ', 148)
  head.write(kind, 156)
  head.write(target, 157)
  head.write('ustar\x0000', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes(head, Buffer.alloc(1024))
}
