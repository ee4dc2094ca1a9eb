/** Limits of files: read by the page and by the server alike. */

/** The largest file, in bytes: 20 MB as people count them. */
export const MOST_BYTES = 20 * 1024 * 1024

/** So much may one person have uploaded that no message names yet, in bytes. */
export const MOST_UNUSED_BYTES = 25 * MOST_BYTES

/** A file that no message names is kept so long. */
export const UNUSED_HOURS = 24
