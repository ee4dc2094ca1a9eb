import type { Locale } from '#foundation/locale.ts'

/** The addresses of the help centre. Without a language they answer in that of the browser; search engines get those with one. */

const within = (locale: Locale | undefined): string => (locale === undefined ? '/help/' : `/help/${locale}/`)

export const indexAddress = (locale?: Locale): string => within(locale)

export const sectionAddress = (section: string, locale?: Locale): string =>
  `${within(locale)}${encodeURIComponent(section)}/`

export const articleAddress = (section: string, slug: string, locale?: Locale): string =>
  `${sectionAddress(section, locale)}${encodeURIComponent(slug)}/`
