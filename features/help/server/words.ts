import type { Translated } from '#foundation/locale.ts'

export type GivenWords = { [Language in keyof Translated]?: string | undefined }

/** Returns, for each language, the given words if there are any, else the words of `before`. */
export const inEach = (before: Translated, { en, de, ru }: GivenWords = {}): Translated => ({
  en: en ?? before.en,
  de: de ?? before.de,
  ru: ru ?? before.ru,
})
