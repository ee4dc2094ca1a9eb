import { waitText } from '#foundation/wait-text.ts'
import { currentLocale } from './locale.ts'
import type { ErrorCode } from '#texts/errors.js'
import { m } from '#texts/messages.js'

/** The parts of an error text: its code, the field it concerns, and a last resort in English. */
export type DisplayedError = {
  code: ErrorCode
  param?: string | undefined
  message?: string | undefined
  wait_s?: number | undefined
}

/**
 * The text of an error code in the present language. A text for the code at this very field (`error_invalid_email`)
 * goes before the general one (`error_invalid`). The table is a chunk of its own: the calling layer has loaded it
 * before it hands a refusal to a page, so this answers at once.
 */
export function errorText({ code, param, message, wait_s }: DisplayedError): string {
  const text = (param && table[`${code}_${param}`]) || table[code]
  if (text) return text({ wait: waitText(wait_s, currentLocale()) })
  return message ? message : m.error_unknown()
}

/** Loads the table. It never fails: without it (offline) the two texts in the entry chunk must do. */
export async function loadErrorTexts(): Promise<void> {
  try {
    const { errors } = await import('#texts/errors.js')
    table = errors
  } catch {
    // The next refusal tries again.
  }
}

let table: Record<string, ((inputs: { wait: string }) => string) | undefined> = {
  network: () => m.error_network(),
  required: () => m.error_required(),
}
