/**
 * The header with the database position of the last change that a caller knows of. The answer to a write brings it, and later
 * reads send it back. A read with it may be answered by a replica (DATABASE_READ_URL) that has reached this position; a read
 * without it is always answered by the primary.
 */
export const READ_AFTER = 'X-Read-After'

/** Returns a position in PostgreSQL's log (an LSN), such as `1A/2B3C4D`, as a number; undefined for anything else. */
export const parsePosition = (text: unknown): bigint | undefined => {
  const [, high, low] = (typeof text === 'string' && /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text)) || []
  return high === undefined || low === undefined
    ? undefined
    : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** The position of a caller who knows of no change yet. */
export const BEGINNING = '0/0'
