import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.approvals.pattern,
    page: () => import('./approvals-page.tsx').then((file) => file.ApprovalsPage),
    staffOnly: 'approvals.read',
  },
]
