import type { PageRoute } from '#foundation/web/pages.ts'

/** Rows R-03, G-04. */
export const routes: readonly PageRoute[] = []
