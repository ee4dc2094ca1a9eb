import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Paraglide's own runtime knows URLs, cookies and middleware, 80 kB of it; a message needs the locale. */
export function writeRuntime(out: string): void {
  rmSync(join(out, 'server.js'), { force: true })
  writeFileSync(join(out, 'runtime.js'), RUNTIME)
  writeFileSync(join(out, 'runtime.d.ts'), DECLARATIONS)
}

const RUNTIME = `export const baseLocale = 'en'
export const locales = ['en', 'de', 'ru']
export const experimentalStaticLocale = undefined
let read = () => baseLocale
export const getLocale = () => read()
export const overwriteGetLocale = (next) => { read = next }
export const isLocale = (value) => locales.includes(value)
export const text = (...texts) => (inputs, options) => {
  const chosen = texts[locales.indexOf(options?.locale ?? read())] ?? texts[0]
  return inputs ? chosen.replace(/{(\\w+)}/g, (_, name) => inputs[name]) : chosen
}
`

const DECLARATIONS = `export type Locale = 'en' | 'de' | 'ru'
export declare const baseLocale: Locale
export declare const locales: readonly Locale[]
export declare const getLocale: () => Locale
export declare const overwriteGetLocale: (next: () => Locale) => void
export declare const isLocale: (value: unknown) => value is Locale
`
