import { crc32 } from 'node:zlib'

/** The script in every file that could run. If it is in anything that a page may show, the attack has got through. */
export const MARK = 'alert(4711)'

export const script = `<script>${MARK}</script>`
export const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${MARK}">${script}</svg>`

export const bytes = (...parts: (string | number[] | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )

export const u32 = (value: number) => {
  const word = Buffer.alloc(4)
  word.writeUInt32BE(value)
  return word
}
export const u16le = (value: number) => [value & 255, value >> 8]

export function chunk(kind: string, data: Buffer): Buffer {
  const named = bytes(kind, data)
  return bytes(u32(data.length), named, u32(crc32(named)))
}

export const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

export function u32le(value: number): Buffer {
  const word = Buffer.alloc(4)
  word.writeUInt32LE(value)
  return word
}
