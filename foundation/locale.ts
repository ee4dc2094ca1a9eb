/** The languages Hostdesk speaks (row G-01); the first is the default and what others fall back to. */
export const locales = ['en', 'de', 'ru'] as const

export type Locale = (typeof locales)[number]

/** A name that the operator wrote in every language. */
export type Translated = Record<Locale, string>

/** A name for a reader of `locale`; one that was kept in a single language stays as it is. */
export const inLanguage = (name: string | Translated | undefined, locale: Locale): string =>
  typeof name === 'object' ? name[locale] : (name ?? '')
