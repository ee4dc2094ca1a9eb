import type { Locale } from './locale.ts'

/**
 * The locale in which `Intl` writes dates for a reader of `locale`: English as in Britain (`21 Nov 2026, 14:30`), unless
 * the reader's browser prefers another English (`preferred`: its languages, the first first).
 */
export const dateLocale = (locale: Locale, preferred: readonly string[] = []): string =>
  locale === 'en' ? (preferred.find((language) => /^en-[A-Z]{2}$/.test(language)) ?? 'en-GB') : locale
