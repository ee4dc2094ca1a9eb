import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.team.pattern,
    page: () => import('./staff-team-page.tsx').then((file) => file.StaffTeamPage),
    staffOnly: 'team.read',
  },
]
