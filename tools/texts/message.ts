/**
 * A message in one language: its text, or for a plural one text for each category that `Intl.PluralRules` has in that
 * language, chosen by the input `count`.
 */
export type Message = string | Record<string, string>

/** A message in each language; where one is missing, English is used. */
export type Translations = { en: Message; de?: Message; ru?: Message }

export type Sources = Record<'en' | 'de' | 'ru', Record<string, Message>>

/** Returns the messages by key. Throws if a plural lacks a category of its language, or its number. */
export function messagesOf(sources: Sources): Map<string, Translations> {
  const messages = new Map<string, Translations>()
  for (const [key, en] of Object.entries(sources.en)) {
    const { [key]: de } = sources.de
    const { [key]: ru } = sources.ru
    const message = { en, ...(de === undefined ? {} : { de }), ...(ru === undefined ? {} : { ru }) }
    for (const [locale, text] of Object.entries(message)) assertWhole(`${key} (${locale})`, locale, text)
    messages.set(key, message)
  }
  return messages
}

function assertWhole(name: string, locale: string, message: Message): void {
  if (typeof message === 'string') return
  const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
  if (Object.keys(message).toSorted().join() !== categories.toSorted().join())
    throw new Error(`${name}: write one text for each of ${categories.join(', ')}`)
  if (!message['other']?.includes('{count}')) throw new Error(`${name}: a plural says its {count}`)
}

/** `export const ui_save = text('Save', …)`, marked pure, so that a bundler drops the texts nobody uses. */
export const statementOf = (key: string, message: Translations): string =>
  `export const ${key} = /*#__PURE__*/ ${helperOf(message)}(${argumentsOf(message)})\n`

/** The same for a text of mails, which is known by its name. */
export const mailStatementOf = (key: string, message: Translations): string =>
  `export const ${key} = mail('${key}', ${argumentsOf(message)})\n`

export const helperOf = ({ en }: Translations): 'text' | 'plural' =>
  typeof en === 'string' ? 'text' : 'plural'

const argumentsOf = ({ en, de, ru }: Translations): string =>
  [en, de, ru].map((message) => (message === undefined ? 'undefined' : JSON.stringify(message))).join(', ')

/** Returns the type of a message's inputs: the names in its braces. */
export function inputsOf(message: Translations): string {
  const texts = Object.values(message).flatMap((each) =>
    typeof each === 'string' ? [each] : Object.values(each),
  )
  const names = new Set([...texts.join('').matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name))
  const typeOf = (name: string) =>
    name === 'count' && helperOf(message) === 'plural' ? 'number' : 'string | number'
  return names.size === 0 ? '{}' : `{ ${[...names].map((name) => `${name}: ${typeOf(name)}`).join('; ')} }`
}
