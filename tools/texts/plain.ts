/** A text in each language; where one is missing, English stands in. */
export type PlainText = { en: string; de?: string; ru?: string }

/** What stands in a messages file: a text, or for plurals what the compiler of Paraglide reads. */
export type Sources = Record<'en' | 'de' | 'ru', Record<string, unknown>>

/** The texts that are nothing but text and `{names}`; the rest has plurals and goes through the compiler. */
export function plainTexts(sources: Sources): Map<string, PlainText> {
  const plain = new Map<string, PlainText>()
  for (const key of Object.keys(sources.en)) {
    const { en, de, ru } = { en: sources.en[key], de: sources.de[key], ru: sources.ru[key] }
    if (key === '$schema' || !isPlain(en) || !isPlainOrMissing(de) || !isPlainOrMissing(ru)) continue
    plain.set(key, { en, ...(de === undefined ? {} : { de }), ...(ru === undefined ? {} : { ru }) })
  }
  return plain
}

/**
 * `text('Save', 'Speichern', 'Сохранить')`: the compiler would write three functions and a choice for it, a quarter of
 * what the login page sends. Marked pure, so that a bundler drops the texts nobody uses.
 */
export function moduleOf(key: string, { en, de, ru }: PlainText): string {
  const texts = [en, de, ru].map((text) => (text === undefined ? 'undefined' : JSON.stringify(text)))
  return `import { text } from '../runtime.js'\nexport const ${key} = /*#__PURE__*/ text(${texts.join(', ')})\n`
}

/** The names in the braces, as a type. */
export function inputsOf({ en, de = '', ru = '' }: PlainText): string {
  const names = new Set([...`${en}${de}${ru}`.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name))
  return names.size === 0 ? '{}' : `{ ${[...names].map((name) => `${name}: string | number`).join('; ')} }`
}

// A backslash escapes a brace; the compiler knows how.
const isPlain = (text: unknown): text is string => typeof text === 'string' && !text.includes('\\')
const isPlainOrMissing = (text: unknown): text is string | undefined => text === undefined || isPlain(text)
