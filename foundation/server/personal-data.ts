import type { App } from './app.ts'

/**
 * The files that a feature adds to the copy of all data about an account, by their path in the ZIP. A file is read when its turn comes, after
 * the transaction: bytes are written as they are, other values as JSON.
 */
export type PersonalData = App['personalData'][number]
