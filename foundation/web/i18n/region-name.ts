import { currentLocale } from './locale.ts'

/** Returns the name of a country (ISO 3166-1 alpha-2) in the language of the page; '' for none. */
export const regionName = (code: string, locale: string = currentLocale()): string =>
  code === '' ? '' : (new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code)
