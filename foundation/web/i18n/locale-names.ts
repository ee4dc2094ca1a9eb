import type { Locale } from '#foundation/locale.ts'

/** The name of each locale in its own language (row R-16): people who look for their language may not be able to read the present one. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch', ru: 'Русский' }
