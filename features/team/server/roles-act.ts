import { inOrder, type Role } from '#foundation/roles.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import type { By, PreviewLine } from '#foundation/server/approvals/requested-act.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { lockOwners } from '#foundation/server/session/session.ts'
import { must } from '#foundation/must.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { managePermission } from '#features/team/contract.ts'
import { giveRoles } from './give-roles.ts'
import { invitationReplies } from './invitation-replies.ts'
import { sendInvitation } from './invite.ts'
import { invitationById } from './queries.ts'

type Change = { kind: 'roles'; roles: Role[]; from: Role[] }
type Invitation = { kind: 'invitation'; invitation_id: string }

/**
 * The action that changes the roles of staff. Giving or taking the role of an owner waits for a second owner: the attack is one
 * stolen session of an owner, which would make more owners, or remove all others.
 */
export const rolesAct: ApprovableAct<Change | Invitation> = {
  permission: managePermission,
  lock: lockOwners,
  async run(app, tx, { customer_id, input, reason }, by) {
    if (input.kind === 'invitation') return sendBy(app, tx, input, by)
    const { origin, by: member, ...people } = by
    const roles = await giveRoles(app, tx, {
      user_id: must(customer_id),
      roles: input.roles,
      from: input.from,
      by: member,
      reason,
      origin,
      introduced_by: people.approved_by === undefined ? member : undefined,
      detail: people,
    })
    return { body: { roles }, result: { roles } }
  },
  async preview(app, { customer_id, input }) {
    if (input.kind === 'roles') return [await rolesPreview(app, must(customer_id), input)]
    const invitation = await invitationById(app.db, input.invitation_id)
    return invitation ? [{ code: 'owner_invited', params: { email: invitation.email } }] : []
  },
}

async function sendBy(app: App, tx: Tx, { invitation_id: id }: Invitation, { by, origin, ...people }: By) {
  const invitation = await sendInvitation(app, tx, { id, by, origin, detail: people })
  const [body] = await invitationReplies(app, tx, [invitation])
  return { body: must(body), result: { invitation_id: id } }
}

async function rolesPreview(app: App, user_id: string, { roles }: Change): Promise<PreviewLine> {
  const { name } = (await displayNames(app, app.db, [user_id])).of(user_id)
  const code = inOrder(roles).includes('owner') ? 'owner_given' : 'owner_taken'
  return { code, params: { name } }
}
