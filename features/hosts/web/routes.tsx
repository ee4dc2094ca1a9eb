import type { PageRoute } from '#foundation/web/pages.ts'

/** The pages stand in app/web/pages-to-come until they are built. */
export const routes: readonly PageRoute[] = []
