import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.audit.pattern,
    page: () => import('./audit-page.tsx').then((file) => file.AuditPage),
    staffOnly: 'audit.read',
  },
  {
    path: paths.system.pattern,
    page: () => import('./system-page.tsx').then((file) => file.SystemPage),
    staffOnly: 'system.read',
  },
]
