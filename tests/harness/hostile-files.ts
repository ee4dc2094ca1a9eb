import { createDeflateRaw, deflateSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { bytes, chunk, MARK, PNG, script, svg, u16le, u32 } from './hostile-bytes.ts'
import { hostileContainers } from './hostile-containers.ts'
import { must } from '#foundation/must.ts'

const entities = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&a;${script}</svg>`

const texts: Record<string, string> = {
  'picture.svg': svg,
  'entities.svg': entities,
  'declared.svg': `<?xml version="1.0"?>\n${svg}`,
  'late.svg': `${' '.repeat(5000)}${svg}`,
  'page.html': `<!doctype html><html>${script}</html>`,
  'page.png': `<html>${script}</html>`,
  'page.jpg': `<!doctype html>${script}`,
  'feed.xml': `<?xml version="1.0"?><?xml-stylesheet href="javascript:${MARK}"?><a/>`,
  'page.xhtml': `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`,
  'code.js': MARK,
  'style.css': `body{background:url("javascript:${MARK}")}`,
  'mail.eml': `Content-Type: text/html\r\n\r\n${script}`,
  'page.mht': `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n${script}`,
  'page.shtml': `<!--#exec cmd="id"-->${script}`,
  'shell.php': `<?php system($_GET["x"]); // ${MARK}`,
  'run.sh': `#!/bin/sh\n${MARK}`,
  'run.bat': `@echo off\r\n${MARK}`,
  'link.url': `[InternetShortcut]\r\nURL=javascript:${MARK}`,
  'sheet.csv': `=cmd|' /C calc'!A0,${MARK}`,
  'document.rtf': `{\\rtf1 {\\object\\objdata ${MARK}}}`,
  'postscript.ps': `%!PS-Adobe-3.0\n(${MARK}) print`,
  'file.pdf': `%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(${MARK})>>>>endobj\ntrailer<</Root 1 0 R>>`,
  'vector.mvg': `push graphic-context\nimage over 0,0 0,0 'https://example.com/"|id"'\n${MARK}`,
  'list.m3u8': `#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n${MARK}`,
  'bom.html': `\uFEFF<html>${script}</html>`,
}

/** A PNG with one bit for each point: it claims this width and height, and holds `rows` rows. */
async function png(width: number, height: number, rows: number): Promise<Buffer> {
  const row = Buffer.alloc(1 + Math.ceil(width / 8))
  const deflate = createDeflateRaw({ level: 9 })
  Readable.from(
    (function* () {
      for (let at = 0; at < rows; at += 1) yield row
    })(),
  ).pipe(deflate)
  const raw = await buffer(deflate)
  const head = bytes(u32(width), u32(height), [1, 0, 0, 0, 0])
  // The checksum of the stream is wrong; a reader finds this out only after it has unpacked all rows.
  return bytes(
    PNG,
    chunk('IHDR', head),
    chunk('IDAT', bytes([0x78, 0xda], raw, u32(1))),
    chunk('IEND', Buffer.alloc(0)),
  )
}

/** 200 MB of zeros in a ZIP of some 200 kB. */
async function zipBomb(): Promise<Buffer> {
  const piece = Buffer.alloc(1_000_000)
  const deflate = createDeflateRaw({ level: 9 })
  Readable.from(
    (function* () {
      for (let at = 0; at < 200; at += 1) yield piece
    })(),
  ).pipe(deflate)
  const raw = await buffer(deflate)
  const name = '[Content_Types].xml'
  const word = (value: number) => [...u32(value)].toReversed()
  return bytes(
    'PK\x03\x04',
    [20, 0, 0, 0, 8, 0, 0, 0, 0, 0],
    word(0),
    word(raw.length),
    word(200_000_000),
    u16le(name.length),
    [0, 0],
    name,
    raw,
  )
}

const solid = (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'tiff') =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .toFormat(format)
    .toBuffer()

const gifHead = (width: number, height: number) =>
  bytes('GIF89a', u16le(width), u16le(height), [0x80, 0, 0, 0, 0, 0, 255, 255, 255])

async function pictures(): Promise<Record<string, Buffer>> {
  const [one, jpeg, webp, gif, avif, tiff] = await Promise.all(
    (['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const).map(solid),
  )
  const cut = (whole: Buffer, share: number) => whole.subarray(0, Math.ceil(whole.length * share))
  const jpegHead = bytes([
    0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0xff, 0xdc, 0xff, 0xdc, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0,
  ])
  return {
    'bomb-head-only.png': bytes(PNG, chunk('IHDR', bytes(u32(30_000), u32(30_000), [8, 6, 0, 0, 0]))),
    'bomb.png': await png(30_000, 30_000, 30_000),
    'bomb-max.png': bytes(
      PNG,
      chunk('IHDR', bytes(u32(0x7fffffff), u32(0x7fffffff), [16, 6, 0, 0, 1])),
      chunk('IDAT', deflateSync(Buffer.alloc(99))),
    ),
    'bomb-wide.png': await png(1_000_000, 49, 49),
    'bomb-tall.png': await png(1, 49_000_000, 100_000),
    'bomb.jpg': bytes(jpegHead, Buffer.alloc(2000, 7)),
    'bomb.gif': bytes(
      gifHead(65_535, 65_535),
      [0x2c, 0, 0, 0, 0],
      [255, 255, 255, 255, 0, 2, 2, 0x44, 1, 0, 0x3b],
    ),
    'bomb.webp': bytes(
      'RIFF',
      [30, 0, 0, 0],
      'WEBPVP8X',
      [10, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255],
    ),
    'polyglot.gif': bytes('GIF89a/*', Buffer.alloc(8), `*/=1;${MARK}`),
    'polyglot-whole.gif': bytes(must(gif), `\n;${MARK};${script}`),
    'polyglot.jpg': bytes(must(jpeg), script),
    'polyglot-comment.jpg': bytes(
      must(jpeg).subarray(0, 2),
      [0xff, 0xfe, 0, script.length + 2],
      script,
      must(jpeg).subarray(2),
    ),
    'polyglot.png': bytes(must(one), script),
    'polyglot-text.png': bytes(
      must(one).subarray(0, 33),
      chunk('tEXt', bytes('Comment\0', script)),
      must(one).subarray(33),
    ),
    'polyglot-profile.png': bytes(
      must(one).subarray(0, 33),
      chunk('iTXt', bytes('XML:com.adobe.xmp\0\0\0\0\0', svg)),
      must(one).subarray(33),
    ),
    'polyglot.webp': bytes(must(webp), script),
    'polyglot.avif': bytes(must(avif), script),
    'polyglot.bmp': bytes('BM', [0, 0, 0, 0], script),
    'polyglot.zip': bytes(must(one), 'PK\x03\x04', script),
    'picture-as.svg': must(one),
    'picture-as.html': must(gif),
    'picture.tiff': must(tiff),
    'heif-only.heic': bytes([0, 0, 0, 24], 'ftypheic', [0, 0, 0, 0], 'mif1heic', script),
    ...Object.fromEntries(
      Object.entries({
        png: must(one),
        jpg: must(jpeg),
        webp: must(webp),
        gif: must(gif),
        avif: must(avif),
      }).flatMap(([ending, whole]) =>
        [0.1, 0.5, 0.95].map((share) => [`truncated-${share}.${ending}`, cut(whole, share)]),
      ),
    ),
  }
}

/** Hostile file names, as the bytes between the quotes of a request. */
export const hostileNames: readonly (string | Buffer)[] = [
  '../../../../etc/passwd',
  '..\\..\\windows\\system32\\x.dll',
  '/etc/passwd',
  'C:\\x.txt',
  '..',
  '.',
  '...',
  '',
  ' ',
  '.htaccess',
  'a/../../b',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'a%00.png',
  'a\0.png',
  'a%0d%0aSet-Cookie: x=1',
  'a%0D%0A%0D%0A<script>alert(4711)</script>',
  'invoice\u202Efdp.exe',
  '\u2066a\u2069\u200F.txt',
  'a\u2028b\u2029c.txt',
  'a\u200B\uFEFFb.txt',
  'a\u0085b\u009Fc.txt',
  'a\x1b[31mred.txt',
  'a\tb.txt',
  'a\\"; filename=\\"evil.exe',
  'a%22; filename=%22evil.exe',
  "a'; filename*=UTF-8''evil.exe",
  'a;b=c.txt',
  '<img src=x onerror=alert(4711)>.png',
  '`id`.txt',
  '$(id).txt',
  '-rf',
  'CON',
  'nul.txt',
  'x'.repeat(5000),
  `${'x'.repeat(300)}.pdf`,
  'ä'.repeat(300),
  '😀'.repeat(250),
  'e\u0301\u0301\u0301.txt',
  'مرحبا.txt',
  'Ошибка сервера.log',
  '  spaced  .txt  ',
  'trailing...',
  'a.png.exe',
  Buffer.from([0xff, 0xfe, 0x41, 0x2e, 0x74]),
  Buffer.from([0xc0, 0xaf, 0x2e, 0x2e, 0xc0, 0xaf, 0x78]),
  Buffer.from([0xed, 0xa0, 0x80, 0x2e, 0x74]),
]

/** Returns some hundred hostile files, each with its name. */
export async function hostileFiles(): Promise<[name: string, bytes: Buffer][]> {
  const odd: Record<string, Buffer> = {
    'bomb.zip': await zipBomb(),
    'bomb.docx': await zipBomb(),
    'cut.zip': bytes('PK\x03\x04'),
    'bomb.gz': bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], Buffer.alloc(1000, 255)),
    'loop.asf': bytes([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9], Buffer.alloc(5000)),
    'loop.ogg': bytes('OggS', Buffer.alloc(5000)),
    'loop.mkv': bytes([0x1a, 0x45, 0xdf, 0xa3], Buffer.alloc(5000, 255)),
    'loop.mp4': bytes([0, 0, 0, 0], 'ftyp', Buffer.alloc(5000)),
    'loop.id3': bytes('ID3', [4, 0, 0, 127, 127, 127, 127], Buffer.alloc(100)),
    'program.exe': bytes('MZ', Buffer.alloc(200), script),
    'program.elf': bytes([0x7f], 'ELF', Buffer.alloc(200), script),
    'one.bin': bytes([0]),
    'one.txt': bytes('a'),
    'flash.swf': bytes('FWS', [8], script),
    'page-utf16.html': Buffer.from(`\uFEFF<html>${script}</html>`, 'utf16le'),
    'page-utf7.html': bytes('+ADw-script+AD4-', MARK),
    'nul.html': bytes(`<html>\0${script}`),
    'half-letter.txt': bytes(Buffer.from('ä'.repeat(40_000)), [0xc3]),
    'text.txt': Buffer.from('ä€😀'.repeat(30_000)),
    'class.class': bytes([0xca, 0xfe, 0xba, 0xbe], script),
  }
  return [
    ...Object.entries(texts).map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]),
    ...Object.entries(await pictures()),
    ...Object.entries(odd),
    ...Object.entries(await hostileContainers()),
  ]
}
