import Send from 'lucide-react/icons/send'
import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.payouts.pattern,
    page: () => import('./staff-page.tsx').then((file) => file.PayoutsPage),
    staffOnly: 'banking.read',
    menu: { text: m.payouts_title, icon: Send, group: 'money' },
  },
]
