import { errorCode } from '#foundation/server/error-code.ts'

/** True if a prepared statement's columns have changed since it was planned. Only the error's text says so: 0A000 covers other errors, too. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  errorCode(error) === '0A000' &&
  error.message.includes('cached plan must not change result type')
