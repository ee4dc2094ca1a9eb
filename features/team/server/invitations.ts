import { originOf } from '#foundation/server/audit/audit.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { must } from '#foundation/must.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/team/contract.ts'
import { invite, inviteAgain, withdraw } from './invite.ts'
import type { InvitationRow } from './queries.ts'

/** Answers `POST /api/staff/invitations/`. */
export const createInvitation = handler(contract.createInvitation, async ({ app, actor, caller, body }) => {
  const { locale } = caller
  const wanted = { ...body, by: actor.user_id, locale, origin: originOf(caller) }
  const { invitation } = await transaction(app, 'system', (tx) => invite(app, tx, wanted))
  return { status: 201, body: await invitationReply(app, invitation) }
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
    await transaction(app, 'system', (tx) => withdraw(tx, wanted))
    return { status: 204 }
  },
)

async function invitationReply(app: App, row: InvitationRow): Promise<contract.StaffInvitation> {
  return must((await invitationReplies(app, app.db, [row]))[0])
}

/** As staff see them, with the names of who invited. */
export async function invitationReplies(
  app: App,
  db: App['db'],
  rows: readonly InvitationRow[],
): Promise<contract.StaffInvitation[]> {
  const names = await displayNames(
    app,
    db,
    rows.map(({ invited_by }) => invited_by),
  )
  return rows.map(({ id, email, roles, invited_by, created_at, expires_at }) => ({
    id,
    email,
    roles,
    invited_by: invited_by === null ? null : names.of(invited_by),
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }))
}
