import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.paidFor.pattern,
    page: () => import('./paid-for-page.tsx').then((file) => file.PaidForPage),
    title: () => m.payers_title(),
  },
]
