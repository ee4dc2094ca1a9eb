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
