import bidiFactory from 'bidi-js'
import type { Font } from 'fontkit'
import { hasGlyph, type Face } from './fonts.ts'
import { must } from '#foundation/must.ts'

/** A part of a line in one font, in visual order, in the form that the PDF library expects. */
type Run = { text: string; face: Face }
type Line = { runs: readonly Run[] }
type Measure = { size: number; bold: boolean }

/**
 * Returns text in printable characters. A character that no font has is replaced by its code (`[U+1FAE8]`), so that readers see that a
 * character was there and no empty box breaks PDF/A. Invisible characters (joiners, variation selectors, direction marks) are dropped.
 */
export function printable(text: string, faces: readonly Face[]): string {
  const plain = cleaned(text)
  return [...plain]
    .map((character) => {
      if (faces.some((face) => hasGlyph(face, character))) return character
      if (/\p{White_Space}/u.test(character)) return ' '
      return `[U+${must(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}]`
    })
    .join('')
}

/** Returns the text for which fonts are chosen: in NFC, without characters that are never drawn. */
export const cleaned = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, (one) => (one === '\n' ? one : ''))

/**
 * Breaks text into lines of at most `width` points. A wider word is cut at that width; Chinese and Japanese
 * break between any two characters.
 */
export function typeset(
  text: string,
  faces: readonly Face[],
  { width, ...measure }: Measure & { width: number },
): Line[] {
  return printable(text, faces)
    .split('\n')
    .flatMap((paragraph) => {
      const levels = bidi.getEmbeddingLevels(paragraph)
      return rangesOf(paragraph, faces, measure, width).map(([start, end]) => ({
        runs: runsOf(paragraph, levels, faces, start, end),
      }))
    })
}

/** Returns the width of text in points, as the PDF library will lay the text out. */
export function widthOf(text: string, faces: readonly Face[], { size, bold }: Measure): number {
  return pieces(text, faces).reduce((sum, { text: piece, face }) => {
    const { font } = bold ? face.bold : face.normal
    return sum + (advanceOf(font, piece) / font.unitsPerEm) * size
  }, 0)
}

/** Caches the widths: labels recur in each document, and the start of a line is measured again with each of its words. */
function advanceOf(font: Font, text: string): number {
  const known = advances.get(font) ?? new Map<string, number>()
  advances.set(font, known)
  const advance = known.get(text) ?? font.layout(text).advanceWidth
  if (known.size >= MOST_ADVANCES) known.clear()
  known.set(text, advance)
  return advance
}

const advances = new WeakMap<Font, Map<string, number>>()
const MOST_ADVANCES = 5_000

// The types of bidi-js describe an ES module where Node finds a CommonJS one.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is no way to say so in its own types
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

/** Returns the start and end of each line in the text, without the blanks at the line's end. */
function rangesOf(text: string, faces: readonly Face[], measure: Measure, width: number): [number, number][] {
  const lines: [number, number][] = []
  let start = -1
  let end = 0
  for (const { index, 0: word } of text.matchAll(words)) {
    const fits = start >= 0 && widthOf(text.slice(start, index + word.length), faces, measure) <= width
    if (start >= 0 && !fits) {
      lines.push([start, end])
      start = -1
    }
    if (start < 0) start = index
    end = index + word.length
    for (;;) {
      const cut = cutOf(text.slice(start, end), faces, measure, width)
      if (cut === undefined) break
      lines.push([start, start + cut])
      start += cut
    }
  }
  if (start >= 0) lines.push([start, end])
  return lines
}

// A line does not break at a no-break space. It may break before and after each character of a script without blanks.
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][\u3001\u3002\u30FC]?|[^ \t\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Returns the number of code units after which a word that is too wide must be cut, never within a grapheme;
 * undefined if the word fits or is a single grapheme.
 */
function cutOf(word: string, faces: readonly Face[], measure: Measure, width: number): number | undefined {
  if (widthOf(word, faces, measure) <= width) return undefined
  const ends = [...graphemes.segment(word)].map(({ index, segment }) => index + segment.length)
  if (ends.length < 2) return undefined
  let [fitting, tooMany] = [0, ends.length - 1]
  while (fitting + 1 < tooMany) {
    const middle = (fitting + tooMany) >> 1
    if (widthOf(word.slice(0, ends[middle]), faces, measure) <= width) fitting = middle
    else tooMany = middle
  }
  return ends[fitting]
}

/** A line's runs from left to right (Unicode's bidirectional algorithm, UAX 9), each in one font and one direction. */
function runsOf(
  text: string,
  levels: ReturnType<typeof bidi.getEmbeddingLevels>,
  faces: readonly Face[],
  start: number,
  end: number,
): Run[] {
  const order = Array.from({ length: end - start }, (_, index) => start + index)
  for (const [from = 0, to = 0] of bidi.getReorderSegments(text, levels, start, end - 1))
    order.splice(from - start, to - from + 1, ...order.slice(from - start, to - start + 1).toReversed())
  const facesByUnit = facesOf(text, faces)
  const runs: { indices: number[]; face: Face; backward: boolean }[] = []
  for (const index of order) {
    const face = must(facesByUnit[index])
    const backward = must(levels.levels[index]) % 2 === 1
    const last = runs.at(-1)
    // The PDF library lays out word by word: right-to-left text must be passed to it as single words.
    const apart = backward && (text[index] === ' ' || text[last?.indices.at(-1) ?? -1] === ' ')
    if (last && last.face === face && last.backward === backward && !apart) last.indices.push(index)
    else runs.push({ indices: [index], face, backward })
  }
  return runs.map(({ indices, face, backward }) => ({
    face,
    text: backward ? fromRight(text, indices, face) : indices.map((index) => text[index]).join(''),
  }))
}

/**
 * Returns right-to-left text in the order that the PDF library expects. The library reverses text that holds a
 * right-to-left letter, but draws blanks, digits and brackets alone in the given order. Brackets are mirrored.
 */
function fromRight(text: string, indices: readonly number[], face: Face): string {
  const logical = indices
    .toReversed()
    .map((index) => bidi.getMirroredCharacter(must(text[index])) ?? must(text[index]))
    .join('')
  const { direction } = face.normal.font.layout(logical)
  return direction === 'rtl' ? logical : [...logical].toReversed().join('')
}

/**
 * The font of each code unit: a mark has the font of the character before it, if that font has the mark; every other character
 * has the first font that knows it.
 */
function facesOf(text: string, faces: readonly Face[]): Face[] {
  const result: Face[] = []
  let last = must(faces[0])
  for (const character of text) {
    if (!/[\p{M}]/u.test(character) || !hasGlyph(last, character))
      last = faces.find((face) => hasGlyph(face, character)) ?? must(faces[0])
    for (let unit = 0; unit < character.length; unit += 1) result.push(last)
  }
  return result
}

function pieces(text: string, faces: readonly Face[]): Run[] {
  const result: { text: string; face: Face }[] = []
  const facesByUnit = facesOf(text, faces)
  for (const [index, face] of facesByUnit.entries()) {
    const last = result.at(-1)
    if (last?.face === face) last.text += text[index]
    else result.push({ text: must(text[index]), face })
  }
  return result
}
