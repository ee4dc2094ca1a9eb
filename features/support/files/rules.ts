/** Limits of files: read by the page and by the server alike. */

/** The largest file, in bytes: 20 MB as people count them. */
export const MOST_BYTES = 20 * 1024 * 1024

/** The bytes one person may have uploaded without a message that uses them. */
export const MOST_UNUSED_BYTES = 25 * MOST_BYTES

/** The time for which a file without a message is kept. */
export const UNUSED_HOURS = 24
