import { waitText } from '#foundation/wait-text.ts'
import { currentLocale } from './locale.ts'
import type { ErrorCode } from '#texts/errors.js'
import { m } from '#texts/messages.js'

/** An error to show: its code, the field that it concerns, an English message as a last resort, and the wait in seconds. */
export type DisplayedError = {
  code: ErrorCode
  param?: string | undefined
  message?: string | undefined
  wait_s?: number | undefined
}

/**
 * Returns the text of an error code in the present language. A text for the code at this field (`error_invalid_email`)
 * goes before the general one (`error_invalid`). The texts are a chunk of their own, which `call` loads before it returns
 * a refusal, so that this function need not wait for them.
 */
export function errorText({ code, param, message, wait_s }: DisplayedError): string {
  const text = (param && table[`${code}_${param}`]) || table[code]
  if (text) return text({ wait: waitText(wait_s, currentLocale()) })
  return message ? message : m.error_unknown()
}

/** Loads the texts of errors. It never rejects: without a network only the two texts of the entry chunk are there. */
export async function loadErrorTexts(): Promise<void> {
  try {
    const { errors } = await import('#texts/errors.js')
    table = errors
  } catch {
    // The next refusal loads them again.
  }
}

let table: Record<string, ((inputs: { wait: string }) => string) | undefined> = {
  network: () => m.error_network(),
  required: () => m.error_required(),
}
