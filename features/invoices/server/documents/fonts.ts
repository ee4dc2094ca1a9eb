import * as z from 'zod/mini'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Font, Fontkit } from 'fontkit'
import { must } from '#foundation/must.ts'
import { cutFont } from '#foundation/server/fonts/cut-font.ts'

/** A font in both weights. */
export type Face = { name: string; normal: Weight; bold: Weight }
/** A font opened twice: `font` is for measuring; `source` are bytes for which the PDF library gets a font of its own to draw with. */
type Weight = { source: Buffer; font: Font }

const require = createRequire(import.meta.url)
const { resolve } = require
// By `require`, fontkit is the instance that the PDF library uses; an `import` would load the same program a second time.
const fontkit = openerOf(require('fontkit'))
const robotoFolder = path.join(path.dirname(resolve('pdfmake/package.json')), 'fonts/Roboto')

function openerOf(program: unknown): Fontkit {
  if (!canOpen(program)) throw new Error('fontkit opens no fonts any more')
  return program
}

function canOpen(program: unknown): program is Fontkit {
  return typeof program === 'object' && program !== null && 'create' in program
}

/**
 * The fonts used for characters that Roboto lacks, in this order; the Chinese one covers Japanese too. They are stored in slices by
 * characters, and a slice is read when a text needs it: all of them are 17 MB on the disk, a name takes some 100 kB.
 */
const families = [
  'noto-sans',
  'noto-sans-sc',
  'noto-sans-kr',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-emoji',
] as const

/** Returns the fonts with which a text can be written, Roboto first. A character that no font has adds no font. */
export async function facesFor(text: string): Promise<readonly Face[]> {
  const faces = [await (roboto ??= openRoboto())]
  let missing = [...new Set(text)].filter((character) => !hasGlyph(must(faces[0]), character))
  for (const family of families) {
    if (missing.length === 0) break
    for (const slice of await slicesOf(family)) {
      const wanted = missing.filter((character) => slice.has(must(character.codePointAt(0))))
      if (wanted.length === 0) continue
      const face = await openSlice(slice, wanted.join(''))
      if (!face || !wanted.some((character) => hasGlyph(face, character))) continue
      faces.push(face)
      missing = missing.filter((character) => !hasGlyph(face, character))
    }
  }
  return faces
}

export const hasGlyph = ({ normal }: Face, character: string): boolean =>
  normal.font.hasGlyphForCodePoint(must(character.codePointAt(0)))

let roboto: Promise<Face> | undefined

async function openRoboto(): Promise<Face> {
  const weight = async (file: string) => keepOpen(await readFile(path.join(robotoFolder, file)))
  return {
    name: 'Roboto',
    normal: await weight('Roboto-Regular.ttf'),
    bold: await weight('Roboto-Medium.ttf'),
  }
}

/**
 * The PDF library would open the fonts of each document anew, and read their kerning tables anew: 40 % of the time that an
 * invoice takes. Instead `source` is a made-up key, for which the library gets a font that stays open.
 */
function keepOpen(bytes: Buffer): Weight {
  const source = Buffer.from(`open font ${open.size}`)
  open.set(source, fontkit.create(bytes))
  return { source, font: fontkit.create(bytes) }
}

const open = new Map<Uint8Array, Font>()

fontkit.registerFormat(
  Object.assign(
    function opened({ buffer }: { buffer: Uint8Array }): Font {
      const font = must(open.get(buffer))
      // A glyph that two characters share (Δ, ∆) remembers the character it was first drawn for. Each document starts without that memory.
      font._glyphs = {}
      return font
    },
    { probe: (bytes: Uint8Array) => open.has(bytes) },
  ),
)

type Slice = { name: string; file: string; has: (codePoint: number) => boolean }

const slices = new Map<string, Promise<readonly Slice[]>>()

function slicesOf(family: string): Promise<readonly Slice[]> {
  const known = slices.get(family) ?? readSlices(family)
  slices.set(family, known)
  return known
}

/** Reads the `unicode.json` of a family's package, which lists the characters of each font file. */
async function readSlices(family: string): Promise<readonly Slice[]> {
  const folder = path.dirname(resolve(`@fontsource-variable/${family}/package.json`))
  const text = await readFile(path.join(folder, 'unicode.json'), 'utf8')
  const ranges = z.record(z.string(), z.string()).parse(JSON.parse(text))
  return Object.entries(ranges).map(([key, list]) => {
    const name = `${family}-${key.replaceAll(/[[\]]/g, '')}`
    return { name, file: path.join(folder, 'files', `${name}-wght-normal.woff2`), has: within(list) }
  })
}

/** Returns a test for the code points in a list such as `U+61,U+400-4ff`. */
function within(list: string): (codePoint: number) => boolean {
  const ranges = list.split(',').map((range) => {
    const [from = '', to = from] = range.trim().slice(2).split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
  })
  return (codePoint) => ranges.some(([from, to]) => from <= codePoint && codePoint <= to)
}

/**
 * Returns the characters of `text` as plain TrueType fonts of one weight each, as PDF/A requires; the file in the package is
 * compressed and holds all weights. Undefined if the font has none of the characters: the package lists some that its font lacks.
 */
async function openSlice({ name, file }: Slice, text: string): Promise<Face | undefined> {
  const bytes = await readFile(file)
  const weight = async (wght: number) => {
    const source = await cutFont(bytes, { text, weights: { least: wght, usual: wght, most: wght } })
    return { source, font: fontkit.create(source) }
  }
  const normal = await weight(400)
  return isEmpty(normal.font) ? undefined : { name, normal, bold: await weight(500) }
}

/** True for a font without any character. Such a font has no map of characters, and fontkit throws when the map is read. */
function isEmpty(font: Font): boolean {
  try {
    return font.characterSet.length === 0
  } catch {
    return true
  }
}
