import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.team.pattern,
    page: () => import('./staff-team-page.tsx').then((file) => file.StaffTeamPage),
    title: m.team_title,
    staffOnly: 'team.read',
  },
]
