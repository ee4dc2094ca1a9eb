import { errorCode } from '#foundation/server/error-code.ts'
import { TryAgain } from './try-again.ts'

// The codes of PostgreSQL that say "not now" (its manual, appendix A): connection exceptions, insufficient resources, operator
// intervention, a lock that was not free in time, a write on a server that became a standby, and a transaction that was undone for others
// (a serialization failure or a deadlock, after the tries of `transaction`).
const conditions = /^(08...|53...|57P0.|55P03|57014|25006|40001|40P01)$/
const network = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])
// node-postgres identifies these by their text alone.
const texts =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end|is not queryable/

/**
 * True if the database is unreachable or too busy just now. The answer is then 503 with Retry-After, and the error is no fault of the
 * program.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof TryAgain) return true
  const code = errorCode(error)
  if (typeof code === 'string' && (conditions.test(code) || network.has(code))) return true
  return texts.test(error.message)
}
