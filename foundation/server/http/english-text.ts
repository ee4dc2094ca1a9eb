import type { Locale } from '#foundation/locale.ts'
import { waitText } from '#foundation/wait-text.ts'
import type { ErrorCode } from '#texts/errors.js'
import * as texts from '#texts/messages.js'

/** True for an error code: each error code has a message `error_…`. */
export const isErrorCode = (text: string): text is ErrorCode => `error_${text}` in texts

type Text = (inputs: Record<string, string>, options: { locale: Locale }) => string

/** The English text of an error code, for logs and curl; the browser shows the text in its own language. */
export const englishText = (code: ErrorCode, wait_s?: number): string => errorText(code, 'en', wait_s)

/** The text of an error code in a language, for pages that the server draws by itself. */
export function errorText(code: ErrorCode, locale: Locale, wait_s?: number): string {
  const text = textNamed(`error_${code}`)
  return text ? text({ wait: waitText(wait_s, locale) }, { locale }) : code
}

// Every error text takes at most a wait: an architecture test compares them with the codes.
function textNamed(name: string): Text | undefined
function textNamed(name: string): unknown {
  const text: unknown = Reflect.get(texts, name)
  return text
}
