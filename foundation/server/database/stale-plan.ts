import { errorCode } from '#foundation/server/error-code.ts'

/** True for a prepared statement whose columns are others since it was planned; PostgreSQL names it by its text alone (0A000 is more than that). */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  errorCode(error) === '0A000' &&
  error.message.includes('cached plan must not change result type')
