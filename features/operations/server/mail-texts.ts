import { locales, type Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { render } from '#foundation/server/mail/layout.ts'
import { mailContext, mailKinds, type MailKind } from '#foundation/server/mail/mail-template.ts'
import { ALWAYS_FILLED, placeholdersIn, wordsName } from '#foundation/server/mail/own-words.ts'
import { LONGEST, type MailText } from '#features/operations/mail-contract.ts'
import { mailTexts } from '#texts/mail-texts.js'

/**
 * Returns the texts of a kind of mail that owners may say otherwise: its subject and its paragraphs. A mail of its examples is written with
 * the name of each text in the place of the text, and those that stand alone in it are such texts. The end of a mail of security is ours:
 * it says what to do if somebody else has done it.
 */
export function textsOf({ config }: App, kind: MailKind, locale: Locale): MailText[] {
  namesIn[locale] ??= Object.keys(mailTexts).flatMap((key) => formsOf(key, locale).map((form) => key + form))
  const mailWords = Object.fromEntries(
    namesIn[locale].map((name) => [wordsName(kind.kind, name, locale), `${MARK}${name}`]),
  )
  const operator = { ...config.operator, mailWords }
  const found = new Map<string, MailText['part']>()
  const note = (marked: unknown, part: MailText['part']) => {
    if (typeof marked !== 'string' || !marked.startsWith(MARK)) return
    const [key = ''] = marked.slice(MARK.length).split('.')
    for (const form of key in mailTexts ? formsOf(key, locale) : []) found.set(key + form, part)
  }
  for (const mail of kind.examples(mailContext({ ...config, operator }, locale, config.timeZone))) {
    note(mail.subject, 'subject')
    for (const paragraph of [...mail.paragraphs, ...(kind.class === 'security' ? [] : (mail.closing ?? []))])
      note(paragraph, 'body')
  }
  return [...found].map(([name, part]) => describe(kind, { name, part }, locale))
}

const namesIn: Partial<Record<Locale, string[]>> = {}

const MARK = '\u0001'

/** The endings of the names of a text: one for each form of a plural that a whole number has. */
function formsOf(key: string, locale: Locale): string[] {
  if (typeof mailTexts[key]?.[0] === 'string') return ['']
  const forms = [1, 2, 5].map((count) => new Intl.PluralRules(locale).select(count))
  return [...new Set(forms)].map((form) => `.${form}`)
}

function describe(kind: MailKind, { name, part }: Pick<MailText, 'name' | 'part'>, locale: Locale): MailText {
  const [key = '', form = ''] = name.split('.')
  const said = mailTexts[key]?.[locales.indexOf(locale)] ?? ''
  const [ours = '', all] =
    typeof said === 'string' ? [said, said] : [said[form], Object.values(said).join(' ')]
  const needs = part === 'body' || kind.class === 'security' ? placeholdersIn(ours) : []
  return {
    name,
    part,
    ours,
    placeholders: [...new Set([...placeholdersIn(all), ...ALWAYS_FILLED])],
    required: needs.filter((placeholder) => placeholder !== 'operator'),
  }
}

/** Returns words by the names under which they are kept. Throws 400 with the text at fault. */
export function checkedWords(
  app: App,
  kind: MailKind,
  { locale, words }: { locale: Locale; words: Readonly<Record<string, string>> },
): Record<string, string> {
  const texts = textsOf(app, kind, locale)
  const entries = Object.entries(words).map(([name, typed]) => {
    const text = texts.find((known) => known.name === name)
    if (!text) throw badRequest('invalid', 'words')
    return [wordsName(kind.kind, name, locale), assertFit(text, typed)] as const
  })
  return Object.fromEntries(entries)
}

function assertFit({ name, part, placeholders, required }: MailText, typed: string): string {
  const words = typed.trim()
  if (part === 'subject' && words.length > LONGEST.subject) throw badRequest('max_length', name)
  if (part === 'subject' && /\p{Cc}/u.test(words)) throw badRequest('unprintable_characters', name)
  const left = placeholders.reduce((rest, known) => rest.replaceAll(`{${known}}`, ''), words)
  if (/[{}]/.test(left)) throw badRequest('unknown_placeholder', name)
  const named = placeholdersIn(words)
  if (words !== '' && !required.every((placeholder) => named.includes(placeholder)))
    throw badRequest('missing_placeholder', name)
  return words
}

/** Returns the mails of a kind with example values, with words that are not kept yet; those that say the same once. */
export function examplesOf(
  { config }: App,
  kind: MailKind,
  locale: Locale,
  words: Readonly<Record<string, string>> = {},
) {
  const operator = { ...config.operator, mailWords: { ...config.operator.mailWords, ...words } }
  const context = mailContext({ ...config, operator }, locale, config.timeZone)
  const mails = kind.examples(context).map((mail) => {
    const { subject, text } = render(mail, { ...context, config: { ...config, operator }, name: 'Anna' })
    return { subject, text }
  })
  return mails.filter((mail, index) => mails.findIndex(({ text }) => text === mail.text) === index)
}

/** Returns the kinds that owners may say otherwise. */
export const changeableKinds = (app: App): MailKind[] =>
  [...mailKinds.values()].filter((kind) => textsOf(app, kind, 'en').length > 0)
