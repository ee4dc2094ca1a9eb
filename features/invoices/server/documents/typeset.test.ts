import { describe, expect, it } from 'vitest'
import { facesFor, type Face } from './fonts.ts'
import { cleaned, printable, typeset, widthOf } from './typeset.ts'

const measure = { size: 9.5, bold: false }
const written = async (text: string, width = 10_000) => {
  const faces = await facesFor(cleaned(text))
  return { faces, lines: typeset(text, faces, { width, ...measure }) }
}
/** The characters in the order on the paper, from left to right: the PDF library reverses some words by itself. */
const seen = (lines: Awaited<ReturnType<typeof written>>['lines']) =>
  lines.map(({ runs }) =>
    runs
      .flatMap(({ text, face }) => face.normal.font.layout(text).glyphs)
      .map(({ codePoints }) => String.fromCodePoint(...codePoints))
      .join(''),
  )
const notdef = (faces: readonly Face[], text: string) =>
  faces.flatMap((face) => face.normal.font.layout(text).glyphs).some(({ id }) => id === 0)

describe('F-02 text on a page', () => {
  it('is set in fonts that have each of its characters, from Latin and Greek to Chinese, Arabic, Thai and emoji', async () => {
    // Red with Roboto alone: missing characters were drawn as boxes, which PDF/A forbids.
    for (const text of [
      'Łukasz Brückner',
      'Михаил',
      'Γιώργος ᾳ',
      '李小龍 東京 髙橋',
      '강남구',
      'محمد ١٢٣',
      'שלום',
      'สมชาย',
      '🚀',
    ]) {
      const { lines } = await written(text)
      for (const { runs } of lines)
        for (const run of runs) expect(notdef([run.face], run.text), `${text}: ${run.text}`).toBe(false)
      expect(seen(lines).join('')).not.toContain('U+')
    }
  })

  it('prints the code of a character that no font has, and drops invisible ones', async () => {
    const faces = await facesFor('A\u{13000}\u200D\uFE0F\u202E')
    expect(printable('A\u{13000}\u200D\uFE0F\u202EB', faces)).toBe('A[U+13000]B')
  })

  it('is read from right to left where its script is, with numbers and brackets as they belong', async () => {
    expect(seen((await written('שלום (חברה) 12')).lines)).toEqual(['12 (הרבח) םולש'])
    expect(seen((await written('Anna כהן 5')).lines)).toEqual(['Anna 5 ןהכ'])
  })

  it('is cut by its measure, never within a letter, and nothing is lost', async () => {
    for (const text of [
      'W'.repeat(200),
      '髙'.repeat(200),
      '🚀'.repeat(100),
      'é'.repeat(200),
      'ש'.repeat(200),
    ]) {
      const { faces, lines } = await written(text, 150)
      expect(lines.length).toBeGreaterThan(3)
      for (const { runs } of lines) {
        const line = runs.map((run) => run.text).join('')
        expect(line.isWellFormed()).toBe(true)
        expect(widthOf(line, faces, measure)).toBeLessThanOrEqual(150)
      }
      expect(lines.flatMap(({ runs }) => runs.map((run) => run.text)).join('')).toHaveLength(
        text.normalize('NFC').length,
      )
    }
  })

  it('breaks at blanks if possible', async () => {
    expect(seen((await written('one two three four', 55)).lines)).toEqual(['one two', 'three four'])
  })
})
