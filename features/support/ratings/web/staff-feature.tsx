import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

/** The list of tickets leads to this page. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.supportReport.pattern,
    page: () => import('./report-page.tsx').then((file) => file.SupportReportPage),
    staffOnly: 'tickets.desk',
  },
]
