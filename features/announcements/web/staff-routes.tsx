import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.announcements.pattern,
    page: () => import('./announcements-page.tsx').then((file) => file.AnnouncementsPage),
    staffOnly: 'announcements.publish',
  },
]
