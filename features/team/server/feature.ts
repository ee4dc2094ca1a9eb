import type { Handler } from '#foundation/server/http/handler.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { approvalChanged } from '#foundation/server/approvals/events.ts'
import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { secretFound } from '#features/sharing/contract.ts'
import { INVITATIONS_CHANGED, managePermission } from '#features/team/contract.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { acceptInvitation, inspectInvitation } from './accept-invitation.ts'
import { createInvitation, deleteInvitation, resendInvitation } from './invitations.ts'
import { giveRolesTo, listMembers } from './members.ts'
import { me } from './team.ts'
import { sweepInvitations, deleteAcceptedBy } from './queries.ts'
import * as z from 'zod/mini'
import { leave } from './give-roles.ts'
import { dropInvitation } from './invite.ts'
import { rolesAct } from './roles-act.ts'
import * as robotTokens from './robot-tokens.ts'
import * as robots from './robots.ts'

export const routes: readonly Handler[] = [
  me,
  listMembers,
  giveRolesTo,
  createInvitation,
  resendInvitation,
  deleteInvitation,
  inspectInvitation,
  acceptInvitation,
  robots.list,
  robots.create,
  robots.changeRoles,
  robots.end,
  robotTokens.list,
  robotTokens.create,
  robotTokens.end,
]

export const jobs: readonly Job[] = [
  cronJob(jobKind('sweep_invitations', 'rest'), 86_400, (app) =>
    transaction(app, 'system', sweepInvitations),
  ),
  cronJob(jobKind('end_robot_tokens', 'rest'), 3600, robotTokens.endTokensInTime),
]

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
  on(secretFound, (app, tx, { token_hash, ...origin }) =>
    robotTokens.endLeaked(app, tx, Buffer.from(token_hash, 'hex'), origin),
  ),
  on(userDeactivated, async (app, tx, { user_id }) => {
    await leave(app, tx, user_id)
    await deleteAcceptedBy(tx, user_id)
  }),
]

export const approvable: readonly ApprovableAct[] = [rolesAct]
