import type { Handler } from '#foundation/server/http/handler.ts'
import { acceptInvitation, inspectInvitation } from './accept-invitation.ts'
import { createInvitation, deleteInvitation, resendInvitation } from './invitations.ts'
import { giveRolesTo, listMembers } from './members.ts'
import { me } from './team.ts'

export const routes: readonly Handler[] = [
  me,
  listMembers,
  giveRolesTo,
  createInvitation,
  resendInvitation,
  deleteInvitation,
  inspectInvitation,
  acceptInvitation,
]
