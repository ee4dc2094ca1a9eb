import type { Locale } from '#foundation/locale.ts'

/** Names of the locales in their own language (row R-16): people seeking theirs may not read the present one. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch', ru: 'Русский' }
