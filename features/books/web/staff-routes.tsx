import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.reports.pattern,
    page: () => import('./reports-page.tsx').then((file) => file.ReportsPage),
    staffOnly: 'books.read',
  },
]
