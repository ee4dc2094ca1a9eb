import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'

export const routes: readonly PageRoute[] = [
  {
    path: paths.team.pattern,
    page: () => import('./staff-team-page.tsx').then((file) => file.StaffTeamPage),
    staffOnly: 'team.read',
  },
  {
    path: paths.invitation.pattern,
    page: () => import('./invitation-page.tsx').then((file) => file.InvitationPage),
  },
]
