import UserCog from 'lucide-react/icons/user-cog'
import { paths } from '#features/paths.ts'
import { getProfile } from '#features/profile/contract.ts'
import { INVITATIONS_CHANGED, ROLES_CHANGED, getStaffMe, listMembers } from '#features/team/contract.ts'
import { listRobots, ROBOTS_CHANGED } from '#features/team/robot-contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { m } from '#texts/messages.js'

export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.team.pattern,
    page: () => import('./staff-team-page.tsx').then((file) => file.StaffTeamPage),
    staffOnly: 'team.read',
    menu: { text: m.team_title, icon: UserCog, group: 'installation' },
  },
]

export const live: readonly LiveReaction[] = [
  [
    ROLES_CHANGED,
    ({ user_id }) => {
      refreshQueries(listMembers)
      if (user_id !== storedSession.user()?.id) return
      // The menu depends on both.
      refreshQueries(getProfile)
      refreshQueries(getStaffMe)
    },
  ],
  [INVITATIONS_CHANGED, () => refreshQueries(listMembers)],
  [ROBOTS_CHANGED, () => refreshQueries(listRobots)],
]
