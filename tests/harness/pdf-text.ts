import { must } from '#foundation/must.ts'
import { pdfObjects } from './pdf-objects.ts'

/** Returns the text of a PDF of the product: the glyphs of each run, translated by the ToUnicode map of their font. */
export function pdfText(pdf: Uint8Array): string {
  const objects = new Map(
    pdfObjects(pdf).map(({ id, head, stream }) => [id, { head, text: stream?.toString('latin1') ?? '' }]),
  )
  const letters = new Map<string, string[]>()
  for (const { head } of objects.values())
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const [, map = ''] = /\/ToUnicode (\d+) 0 R/.exec(must(objects.get(id)).head) ?? []
      letters.set(name, lettersIn(must(objects.get(map)).text))
    }
  return [...objects.values()].flatMap(({ text }) => piecesOf(text, letters)).join(' ')
}

/** Returns the characters of a font by the numbers of their glyphs. */
function lettersIn(map: string): string[] {
  const ranges = [...map.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[(.*?)\]/gis)]
  const letters: string[] = []
  for (const [, first = '', listed = ''] of ranges)
    for (const [place, [, hex = '']] of [...listed.matchAll(/<([\da-f]+)>/gi)].entries())
      letters[parseInt(first, 16) + place] = Buffer.from(hex, 'hex').swap16().toString('utf16le')
  return letters
}

function piecesOf(content: string, letters: ReadonlyMap<string, string[]>): string[] {
  const pieces: string[] = []
  let font: string[] = []
  for (const [, name, shown = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(<.*?)\] TJ/g))
    if (name === undefined)
      pieces.push(
        [...shown.matchAll(/<([\da-f]*)>/gi)]
          .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
          .map((glyph) => font[parseInt(glyph, 16)] ?? '')
          .join(''),
      )
    else font = must(letters.get(name))
  return pieces
}
