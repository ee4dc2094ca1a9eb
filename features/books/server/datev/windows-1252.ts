import anyAscii from 'any-ascii'
import iconv from 'iconv-lite'

const ENCODING = 'windows-1252'

export const encoded = (text: string): Buffer => iconv.encode(text, ENCODING)

/** Returns a line in letters that Windows-1252 has; any other letter is replaced by letters that sound like it, never by a question mark. */
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
