import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'

/** The title comes with the page: texts of this list are loaded by everybody, before they sign in. */
export const routes: readonly PageRoute[] = [
  {
    path: paths.paidFor.pattern,
    page: () => import('./paid-for-page.tsx').then((file) => file.PaidForPage),
  },
]
