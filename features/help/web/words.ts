import type { ListedArticle } from '#features/help/staff-contract.ts'
import { languageOf } from '#features/help/rules.ts'
import { locales, type Locale, type Translated } from '#foundation/locale.ts'
import type { Tone } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** Returns a text in the reader's language, or in the first in which it was written. */
export const shownIn = (text: Translated, locale: Locale): string => text[languageOf(text, locale)]

/** The state of an article in a word. */
export function stateOf({ is_published, revision }: ListedArticle): { text: string; tone: Tone } {
  if (is_published) return { text: m.help_state_published(), tone: 'success' }
  return revision > 0
    ? { text: m.help_state_withdrawn(), tone: 'neutral' }
    : { text: m.help_state_draft(), tone: 'neutral' }
}

/** A field of a form for each language: `title.en`. */
export const fieldsOf = (name: string, words: Translated): Record<string, string> =>
  Object.fromEntries(locales.map((locale) => [`${name}.${locale}`, words[locale]]))

/** Reads the changed languages of a field; undefined where none is. */
export function wordsIn(
  changes: Readonly<Record<string, string | undefined>>,
  name: string,
): Partial<Translated> | undefined {
  const given = locales.flatMap((locale): [Locale, string][] => {
    const text = changes[`${name}.${locale}`]
    return text === undefined ? [] : [[locale, text]]
  })
  return given.length > 0 ? Object.fromEntries(given) : undefined
}
