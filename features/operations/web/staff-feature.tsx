import Activity from 'lucide-react/icons/activity'
import ScrollText from 'lucide-react/icons/scroll-text'
import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.audit.pattern,
    page: () => import('./audit-page.tsx').then((file) => file.AuditPage),
    staffOnly: 'audit.read',
    menu: { text: m.operations_audit, icon: ScrollText, group: 'installation' },
  },
  {
    path: paths.system.pattern,
    page: () => import('./system-page.tsx').then((file) => file.SystemPage),
    staffOnly: 'system.read',
    menu: { text: m.operations_system, icon: Activity, group: 'installation' },
  },
]
