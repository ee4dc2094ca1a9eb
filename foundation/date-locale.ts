import type { Locale } from './locale.ts'

/**
 * Returns the locale in which `Intl` writes dates for a reader of `locale`: British English (`21 Nov 2026, 14:30`), unless
 * the reader's browser prefers another English. `preferred` are the languages of the browser, in order of preference.
 */
export const dateLocale = (locale: Locale, preferred: readonly string[] = []): string =>
  locale === 'en' ? (preferred.find((language) => /^en-[A-Z]{2}$/.test(language)) ?? 'en-GB') : locale
