import { blocksOf, type Block } from '#foundation/markup-blocks.ts'
import { plainText } from '#foundation/markup-plain.ts'
import { locales, type Locale, type Translated } from '#foundation/locale.ts'

export const audiences = ['everybody', 'staff'] as const
export type Audience = (typeof audiences)[number]

export const TITLE_LENGTH = 120
export const KEYWORDS_LENGTH = 300
export const TEXT_LENGTH = 20_000
export const SLUG_LENGTH = 60

export const MOST_SECTIONS = 30
export const MOST_ARTICLES = 500

/** The part of an article: a heading, or what stands below one. */
export type Part = { heading: string; level: 2 | 3 } | { blocks: readonly Block[] }

const HEADING = /^(#{2,3}) +(.+?)\s*$/u
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/u

/**
 * Reads the text of an article: the marks of messages, and headings of two levels (`##`, `###`) outside of code. Its links may name a page of
 * this installation by its path; those of messages name whole addresses only.
 */
export function partsOf(text: string, origin: string): readonly Part[] {
  const parts: Part[] = []
  let kept: string[] = []
  let isCode = false
  const keep = () => {
    const blocks = blocksOf(kept.join('\n'), origin)
    if (blocks.length > 0) parts.push({ blocks })
    kept = []
  }
  for (const line of text.split(/\r\n|\r|\n/u)) {
    if (FENCE.test(line)) isCode = !isCode
    const [, marks, heading] = (isCode ? null : HEADING.exec(line)) ?? []
    if (marks === undefined || heading === undefined) kept.push(line)
    else {
      keep()
      parts.push({ heading, level: marks.length === 2 ? 2 : 3 })
    }
  }
  keep()
  return parts
}

/** Returns an article as words alone, for the search and for excerpts: of a link, to whatever place, only its words are left. */
export const wordsOf = (text: string): string =>
  plainText(text.replaceAll(/^#{2,3} +/gmu, ''), { code: (code) => code, item: () => '' }, '')

/** Returns the language in which a text is shown to a reader of `locale`: that one, or the first in which it was written. */
export const languageOf = (text: Translated, locale: Locale): Locale =>
  [locale, ...locales].find((each) => text[each].trim() !== '') ?? locale

/** The languages in which an article can be read: it has a title and a text. */
export const writtenIn = ({ title, text }: { title: Translated; text: Translated }): readonly Locale[] =>
  locales.filter((locale) => title[locale].trim() !== '' && text[locale].trim() !== '')

/** Returns the language in which to look for typed words: Russian is known by its letters, whatever language the page has. */
export function languageTyped(typed: string, locale: Locale): Locale {
  const cyrillic = typed.match(/\p{Script=Cyrillic}/gu)?.length ?? 0
  const latin = typed.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (cyrillic > latin) return 'ru'
  return locale === 'ru' && latin > 0 && cyrillic === 0 ? 'en' : locale
}
