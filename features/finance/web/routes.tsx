import type { PageRoute } from '#foundation/web/pages.ts'

/** The page stands in app/web/pages-to-come until it is built. */
export const routes: readonly PageRoute[] = []
