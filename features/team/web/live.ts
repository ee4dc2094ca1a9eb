import { getProfile } from '#features/profile/contract.ts'
import { getStaffMe, INVITATIONS_CHANGED, listMembers, ROLES_CHANGED } from '#features/team/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'

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
]
