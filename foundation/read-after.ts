/**
 * How far the database had written when a caller last heard of a change: the header that an answer to a write brings, and
 * that later reads carry back. A read with it may be answered by a replica that has come that far (DATABASE_READ_URL); a read
 * without it never is.
 */
export const READ_AFTER = 'X-Read-After'

/** PostgreSQL's position in its log (an LSN), such as `1A/2B3C4D`. */
export const parsePosition = (text: unknown): bigint | undefined => {
  const [, high, low] = (typeof text === 'string' && /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text)) || []
  return high === undefined || low === undefined
    ? undefined
    : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** The position of a caller who knows of no change yet. */
export const BEGINNING = '0/0'
