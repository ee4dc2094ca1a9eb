import Megaphone from 'lucide-react/icons/megaphone'
import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.announcements.pattern,
    page: () => import('./announcements-page.tsx').then((file) => file.AnnouncementsPage),
    staffOnly: 'announcements.publish',
    menu: { text: m.announcements_title, icon: Megaphone, group: 'customers' },
  },
]
