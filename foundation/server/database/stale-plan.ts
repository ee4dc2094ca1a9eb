import { errorCode } from '#foundation/server/error-code.ts'

/**
 * True if the columns of a prepared statement have changed since it was planned. Only the text of the error says so: its code 0A000 also
 * covers other errors.
 */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  errorCode(error) === '0A000' &&
  error.message.includes('cached plan must not change result type')
