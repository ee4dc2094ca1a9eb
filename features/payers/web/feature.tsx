import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'

/** The page sets its title itself, because everybody loads the texts of this list, before they sign in. */
export const routes: readonly PageRoute[] = [
  {
    path: paths.paidFor.pattern,
    page: () => import('./paid-for-page.tsx').then((file) => file.PaidForPage),
  },
]

export const live = () => import('./live.ts').then((file) => file.live)
