import { PAGES_BASE } from '#foundation/page-path.ts'

/** Returns the address of a page for the address bar: `pageAt(paths.desk())`. */
export const pageAt = (path: `/${string}`): string => `${PAGES_BASE}${path}`
