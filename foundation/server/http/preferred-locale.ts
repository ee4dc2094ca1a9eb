import { locales, type Locale } from '#foundation/locale.ts'

export const isLocale = (text: string): text is Locale => locales.some((locale) => locale === text)

/** The first language of Accept-Language that we have. */
export function preferredLocale(header: string | undefined): Locale {
  const wanted = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().slice(0, 2))
  return wanted.find(isLocale) ?? 'en'
}
