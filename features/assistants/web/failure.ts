import type { ErrorCode } from '#texts/errors.js'

/** Returns the code of a refused call as an error code: the server stores codes of its contracts, and each of these has a text. */
export function codeOf(failure: string): ErrorCode
export function codeOf(failure: string): string {
  return failure
}
