import type { PageRoute } from '#foundation/web/pages.ts'

export const routes: readonly PageRoute[] = []
