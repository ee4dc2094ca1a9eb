/** The languages of Hostdesk (row G-01); the first is the default, and the fallback of the others. */
export const locales = ['en', 'de', 'ru'] as const

export type Locale = (typeof locales)[number]

/** A name that the operator wrote in every language. */
export type Translated = Record<Locale, string>

/** Returns a name in the language `locale`. A name kept in a single language is returned as it is, a missing name as ''. */
export const inLanguage = (name: string | Translated | undefined, locale: Locale): string =>
  typeof name === 'object' ? name[locale] : (name ?? '')
