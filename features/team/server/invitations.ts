import { originOf } from '#foundation/server/audit/audit.ts'
import type { App } from '#foundation/server/app.ts'
import { withdrawAll } from '#foundation/server/approvals/decide.ts'
import { lockProposals } from '#foundation/server/approvals/queries.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { must } from '#foundation/must.ts'
import * as contract from '#features/team/contract.ts'
import { rolesAct } from './roles-act.ts'
import { invitationReplies } from './invitation-replies.ts'
import { inviteAgain, prepareInvitation, withdraw } from './invite.ts'
import type { InvitationRow } from './queries.ts'

/** Answers `POST /api/staff/invitations/`. */
export const createInvitation = handler(contract.createInvitation, (call) => {
  const { app, actor, body } = call
  return withApproval(contract.createInvitation, call, rolesAct, async (tx) => {
    const invited = { ...body, by: actor.user_id, origin: originOf(call.caller) }
    const { id } = await prepareInvitation(app, tx, invited)
    const input = { kind: 'invitation' as const, invitation_id: id }
    const always = body.roles.includes('owner')
    return { customer_id: null, amount: null, input, reason: '', links: [], always }
  })
})

/** Answers `POST /api/staff/invitations/{invitationId}/resend/`. */
export const resendInvitation = handler(
  contract.resendInvitation,
  async ({ app, actor, caller, params: { invitationId: id } }) => {
    const wanted = { id, by: actor.user_id, locale: caller.locale, origin: originOf(caller) }
    const invitation = await transaction(app, 'system', (tx) => inviteAgain(app, tx, wanted))
    return { status: 200, body: await invitationReply(app, invitation) }
  },
)

/** Answers `DELETE /api/staff/invitations/{invitationId}/`. */
export const deleteInvitation = handler(
  contract.deleteInvitation,
  async ({ app, actor, caller, params: { invitationId: id } }) => {
    const wanted = { id, by: actor.user_id, origin: originOf(caller) }
    await transaction(app, 'system', async (tx) => {
      // A decision at the same moment takes its locks in this order, too: first the waiting approvals, then the invitation.
      const waiting = await lockProposals(tx, rolesAct.permission.name, { invitation_id: id })
      await withdraw(tx, wanted)
      await withdrawAll(app, tx, waiting, wanted)
    })
    return { status: 204 }
  },
)

async function invitationReply(app: App, row: InvitationRow): Promise<contract.StaffInvitation> {
  return must((await invitationReplies(app, app.db, [row]))[0])
}
