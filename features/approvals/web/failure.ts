import type { ErrorCode } from '#texts/errors.js'

/** The rule that refused an approved action. The server keeps codes of its own, which the table of texts has. */
export function codeOf(failure: string): ErrorCode
export function codeOf(failure: string): string {
  return failure
}
