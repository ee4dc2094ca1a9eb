/** Limits of files, used by the page and by the server alike. */

/** The maximum size of a file in bytes: 20 MB of 1,024 × 1,024 bytes. */
export const MOST_BYTES = 20 * 1024 * 1024

/** The maximum number of bytes that one person may have in uploaded files that no message uses. */
export const MOST_UNUSED_BYTES = 25 * MOST_BYTES

/** The most megabytes that staff may add to the quota of an account. */
export const MOST_EXTRA_MB = 100_000
