import { exitCodes, type ExitCode } from '#foundation/exit-codes.ts'
import { errorCode } from '#foundation/server/error-code.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { BadData, NoUser, NotFound, Refused, TryLater, WrongUse } from '#foundation/server/operator-errors.ts'

/** Returns the exit code for the error that a command threw. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof WrongUse) return exitCodes.usage
  if (error instanceof BadData) return exitCodes.badData
  if (error instanceof NoUser) return exitCodes.noUser
  if (error instanceof Refused) return exitCodes.refused
  if (error instanceof NotFound || isMissingFile(error)) return exitCodes.notFound
  if (error instanceof TryLater || isUnavailable(error)) return exitCodes.tryLater
  if (error instanceof HttpError && error.status === 503) return exitCodes.tryLater
  if (error instanceof HttpError) return error.status === 404 ? exitCodes.notFound : exitCodes.refused
  return exitCodes.failed
}

/** True if the user named a missing file. A missing socket (ENOENT of `connect`) means that the database is down. */
const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && errorCode(error) === 'ENOENT' && 'syscall' in error && error.syscall !== 'connect'
