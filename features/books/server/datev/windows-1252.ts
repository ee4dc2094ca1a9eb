import anyAscii from 'any-ascii'
import iconv from 'iconv-lite'

const ENCODING = 'windows-1252'

export const encoded = (text: string): Buffer => iconv.encode(text, ENCODING)

/** A line in letters that Windows-1252 has; others are written in those that sound like them, and never as question marks. */
export const withinWindows1252 = (text: string): string =>
  [...text.normalize('NFC').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')].map(written).join('')

const known = new Map<string, string>()

function written(letter: string): string {
  if (letter <= '~') return letter
  let found = known.get(letter)
  if (found === undefined) {
    found = iconv.decode(encoded(letter), ENCODING) === letter ? letter : anyAscii(letter)
    known.set(letter, found)
  }
  return found
}
