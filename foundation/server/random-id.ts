import { randomBytes } from 'node:crypto'

/** Returns 128 random bits as 22 characters that need no escaping in a URL: the public id of a thing. */
export const randomId = (): string => randomBytes(16).toString('base64url')

/** Returns 40 random bits as a reference that people read and type, behind a prefix: `PO-3F9A27C10B`. */
export const randomReference = (prefix: string): string =>
  `${prefix}-${randomBytes(5).toString('hex').toUpperCase()}`
