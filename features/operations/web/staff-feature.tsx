import Activity from 'lucide-react/icons/activity'
import Building2 from 'lucide-react/icons/building-2'
import Sun from 'lucide-react/icons/sun'
import ScrollText from 'lucide-react/icons/scroll-text'
import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.today.pattern,
    page: () => import('./today-page.tsx').then((file) => file.TodayPage),
    staffOnly: 'today.read',
    menu: { text: m.shell_today, icon: Sun, keys: 'g d' },
  },
  {
    path: paths.company.pattern,
    page: () => import('./company-page.tsx').then((file) => file.CompanyPage),
    staffOnly: 'company.read',
    menu: { text: m.operations_company, icon: Building2, group: 'installation' },
  },
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
