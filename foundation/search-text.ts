/**
 * Text as people search for it (rule 55): case, accents, ß, apostrophes, hyphens and kinds of blanks make no difference. `foldText` and
 * `searchable` are the functions fold_text and searchable of the database, letter by letter; a test compares them.
 */

// Apostrophes and dashes vanish, because O'Brien is also written OBrien, and Karl-Heinz also Karlheinz.
const GONE = /['`\u00b4\u02b9\u02bb-\u02bd\u2018-\u201b\u2032\uff07\u00ad\u2010-\u2015\u2212\ufe63\uff0d-]/gu
const DASHES = /[\u2010-\u2015\u2212\ufe63\uff0d-]/gu
const INVISIBLE = /[\u0300-\u036f\u200b-\u200f\u2060\ufeff]/gu
const BLANKS = /[ \t\n\v\f\r\u0085\u1680\u2028\u2029]+/gu
// Letters that are no accented letters to Unicode.
const OTHERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ς: 'σ',
}

export const foldText = (text: string): string =>
  text
    .replaceAll(GONE, '')
    .normalize('NFKD')
    .replaceAll(INVISIBLE, '')
    .toLowerCase()
    .replaceAll(/[ßæœþıłøđðħς]/gu, (letter) => OTHERS[letter] ?? letter)
    .replaceAll(BLANKS, ' ')
    .replaceAll(/^ | $/gu, '')

// Germans write ü as u or ue: what is searched for has the short form, and what is searched holds it beside the other.
export const shortForm = (text: string): string => shortened(foldText(text))
const shortened = (folded: string): string => folded.replaceAll(/([aou])e+/gu, '$1')

/** Returns a text in the form in which its words are found. */
export function searchable(text: string): string {
  const folded = foldText(text)
  const short = shortened(folded)
  return short === folded ? folded : `${folded} ${short}`
}

// Nobody types more, and each is a condition of a statement.
const MOST_WORDS = 12

/** Returns the words of a search; a text that holds all of them in its searchable form is found, in whatever order they stand. */
export function searchWords(typed: string): string[] {
  const words = shortForm(typed.replaceAll(DASHES, ' ')).split(' ')
  return [...new Set(words)].filter((word) => word !== '').slice(0, MOST_WORDS)
}

const LONG: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' }

/**
 * Returns the spellings of a search for indices of stems, which know words as they were written: as typed, and with ü as ue. `folded` is for
 * an index of words in their searchable form. Quotes and hyphens stay, with which a person searches for a phrase or excludes a word.
 */
export function spellingsOf(typed: string): { written: string[]; folded: string } {
  const composed = typed.normalize('NFC')
  const long = composed.replaceAll(/[äöüÄÖÜ]/gu, (letter) => LONG[letter] ?? letter)
  const folded = composed.replaceAll(/[^\s"-]+/gu, shortForm)
  return { written: [...new Set([composed, long, folded])].filter((spelling) => spelling !== ''), folded }
}

/** True if a text holds all words of a search. */
export function finds(typed: string, text: string): boolean {
  const given = searchable(text)
  return searchWords(typed).every((word) => given.includes(word))
}
