import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

/** The tickets page and the palette lead here; the menu is full. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.help.pattern,
    page: () => import('./help-staff-page.tsx').then((file) => file.HelpStaffPage),
    staffOnly: 'help.write',
  },
  {
    path: paths.helpArticle.pattern,
    page: () => import('./article-page.tsx').then((file) => file.ArticlePage),
    staffOnly: 'help.write',
  },
]
