import * as z from 'zod/mini'
import { approvalChanged } from '#foundation/server/approvals/events.ts'
import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { leave } from './give-roles.ts'
import { INVITATIONS_CHANGED, managePermission } from '#features/team/contract.ts'
import { dropInvitation } from './invite.ts'
import { deleteAcceptedBy } from './queries.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'

// The input of a proposal about an invitation.
const ofInvitation = z.object({ invitation_id: z.optional(z.string()) })

export const reactions = [
  // The page of the team shows the changes that wait for a second owner.
  on(approvalChanged, async (_app, tx, { act, status, input }) => {
    if (act !== managePermission.name) return
    const { invitation_id } = ofInvitation.parse(input)
    if (invitation_id !== undefined && status !== 'proposed' && status !== 'approved')
      await dropInvitation(tx, invitation_id)
    await publishToStaff(tx, { type: INVITATIONS_CHANGED })
  }),
  on(userDeactivated, async (app, tx, { user_id }) => {
    await leave(app, tx, user_id)
    await deleteAcceptedBy(tx, user_id)
  }),
]
