import type { Sharp } from 'sharp'
import { readHeic } from './heic.ts'

export type Preview = { bytes: Buffer; width: number; height: number }

/** Types that get a preview; all others are downloads only. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
/** Types of phones, which a decoder of their own reads (heic.ts). */
const ofPhones = new Set(['image/heic', 'image/heif'])

// The longest side of a preview in pixels: enough to read a screenshot.
const SIDE = 1600
// A picture of this size takes some 200 MB while it is read, at the worst.
const MOST_PIXELS = 50_000_000
const LONGEST_S = 10
const MOST_WAITING = 20

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Draws a small picture from an uploaded one. Nothing of the file but its colours survives, neither places and names written by cameras,
 * nor a script after a picture's first bytes. Returns undefined if the file is no picture, cannot be read, is too large to be read safely,
 * or if too many files wait: then it can only be downloaded. Pictures are drawn one at a time, for `longest_s` each; one that has waited for
 * as long is not drawn. The attack is a handful of files that take all of their time, and would hold up the uploads of everybody.
 */
export async function makePreview(
  path: string,
  type: string,
  longest_s = LONGEST_S,
): Promise<Preview | undefined> {
  if (!(pictures.has(type) || ofPhones.has(type)) || waiting >= MOST_WAITING) return undefined
  waiting += 1
  const latest = performance.now() + longest_s * 1000
  const made = last
    .then(() => (performance.now() < latest ? draw(path, ofPhones.has(type), longest_s) : undefined))
    .catch(() => undefined)
  last = made
  try {
    return await made
  } finally {
    waiting -= 1
  }
}

async function draw(path: string, isOfPhone: boolean, longest_s: number): Promise<Preview> {
  const open = await readers()
  const { data, info } = await (isOfPhone ? open(await colours(path, longest_s)) : open(path))
    .autoOrient()
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds: longest_s })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

async function colours(path: string, longest_s: number): Promise<Raw> {
  const { data, width, height } = await readHeic(path, longest_s)
  return { data, raw: { width, height, channels: 4 } }
}

type Raw = { data: Uint8ClampedArray; raw: { width: number; height: number; channels: 4 } }

let loaded: Promise<(from: string | Raw) => Sharp> | undefined

/** Loads sharp with the first picture. Only five of the formats that libvips can read stay enabled, each with bounds. */
const readers = () =>
  (loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    // The attack is a file of a rare format that exploits its rarely used reader, or an SVG that loads other files.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
    })
    const bounds = { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true, pages: 1 } as const
    return (from) =>
      typeof from === 'string' ? sharp(from, bounds) : sharp(from.data, { ...bounds, raw: from.raw })
  }))
