/** The code that the compiled messages call. A plural prints its number as the language does: 1,234 and 1.234. */
export const RUNTIME = `export const baseLocale = 'en'
export const locales = ['en', 'de', 'ru']
let read = () => baseLocale
export const getLocale = () => read()
export const overwriteGetLocale = (next) => { read = next }
export const isLocale = (value) => locales.includes(value)
const fill = (text, inputs) => inputs ? text.replace(/{(\\w+)}/g, (_, name) => inputs[name]) : text
export const text = (...texts) => (inputs, options) =>
  fill(texts[locales.indexOf(options?.locale ?? read())] ?? texts[0], inputs)
export const plural = (...texts) => (inputs, options) => {
  const wanted = options?.locale ?? read()
  const locale = texts[locales.indexOf(wanted)] ? wanted : baseLocale
  const category = new Intl.PluralRules(locale).select(inputs.count)
  const count = new Intl.NumberFormat(locale).format(inputs.count)
  return fill(texts[locales.indexOf(locale)][category], { ...inputs, count })
}
`

export const DECLARATIONS = `export type Locale = 'en' | 'de' | 'ru'
export declare const baseLocale: Locale
export declare const locales: readonly Locale[]
export declare const getLocale: () => Locale
export declare const overwriteGetLocale: (next: () => Locale) => void
export declare const isLocale: (value: unknown) => value is Locale
`

/**
 * The code that the texts of mails call in Node: like that of all others, but the words of a text may be replaced while a mail is written.
 * The plural forms of a text are texts of their own.
 */
export const MAIL_RUNTIME = `import { baseLocale, locales } from './runtime.js'
export const mailTexts = {}
export const fill = (text, inputs) => text.replace(/{(\\w+)}/g, (_, name) => inputs[name])
let say = (_, ours, inputs) => fill(ours, inputs)
export const sayingBy = (other, work) => {
  const before = say
  say = other
  try {
    return work()
  } finally {
    say = before
  }
}
export const mail = (key, ...texts) => {
  mailTexts[key] = texts
  return (inputs = {}, options) => {
    const locale = texts[locales.indexOf(options?.locale)] ? options.locale : baseLocale
    const ours = texts[locales.indexOf(locale)]
    if (typeof ours === 'string') return say(key, ours, inputs)
    const form = new Intl.PluralRules(locale).select(inputs.count)
    const count = new Intl.NumberFormat(locale).format(inputs.count)
    return say(key + '.' + form, ours[form], { ...inputs, count })
  }
}
`

export const MAIL_DECLARATIONS = `type Inputs = Readonly<Record<string, string | number>>
/** Our words of each text, in English, German and Russian; those of a plural by its forms. */
export declare const mailTexts: Readonly<Record<string, readonly (string | Readonly<Record<string, string>>)[]>>
export declare const fill: (text: string, inputs: Inputs) => string
/** Does the work, in which \`say\` makes the words of all texts; the form of a plural is behind the dot of its name. */
export declare const sayingBy: <Done>(say: (name: string, ours: string, inputs: Inputs) => string, work: () => Done) => Done
`
