import { originOf } from '#foundation/server/audit/audit.ts'
import { wasApproved } from '#foundation/server/approvals/bar-queries.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { hashToken } from '#foundation/server/keys.ts'
import { updateUser, type Actor } from '#foundation/server/session/session.ts'
import { assertNotOwn, isOfferedTo } from '#features/profile/server/profile.ts'
import * as contract from '#features/team/contract.ts'
import { addRoles } from './give-roles.ts'
import { invitationReplies } from './invitation-replies.ts'
import * as queries from './queries.ts'

/** Answers `GET /api/staff/invitations/acceptance/`: what the caller would accept; changes nothing. */
export const inspectInvitation = handler(contract.inspectInvitation, async ({ app, actor, headers }) => {
  const key = headers['x-invitation-key']
  const invitation = await queries.invitationByKey(app.db, hashToken(key))
  if (!invitation) throw badRequest('invalid_or_expired_key')
  await assertAddressee(app.db, invitation, actor)
  const [reply] = await invitationReplies(app, app.db, [invitation])
  if (!reply) throw badRequest('invalid_or_expired_key')
  const { email, roles, invited_by, expires_at } = reply
  const two_factor = lacksFactor(app, actor) ? 'missing' : 'ok'
  return { status: 200, body: { email, roles, invited_by: invited_by?.name ?? null, expires_at, two_factor } }
})

/**
 * Answers `POST /api/staff/invitations/acceptance/`. The key alone is not enough: mails are forwarded, so the account must have
 * proven that the invited mailbox is its own. Nobody brings in a second account of theirs alone. After a refusal the invitation stays open.
 */
export const acceptInvitation = handler(contract.acceptInvitation, async ({ app, actor, caller, body }) => {
  const { user_id } = actor
  const roles = await transaction(app, { systemFor: user_id }, async (tx) => {
    const invitation = await queries.consumeInvitation(tx, hashToken(body.key), user_id)
    if (!invitation) throw badRequest('invalid_or_expired_key', 'key')
    await assertAddressee(tx, invitation, actor)
    if (lacksFactor(app, actor)) throw new HttpError(403, [{ code: 'two_factor_required' }])
    const { id, invited_by } = invitation
    const isConfirmed = await wasApproved(tx, contract.managePermission.name, { invitation_id: id })
    if (invited_by !== null && invited_by !== user_id && !isConfirmed)
      await assertNotOwn(tx, invited_by, user_id)
    if (body.first_page) await updateUser(tx, user_id, { first_page: body.first_page })
    return addRoles(app, tx, {
      user_id,
      roles: invitation.roles,
      by: user_id,
      origin: originOf(caller),
      introduced_by: isConfirmed || invited_by === user_id ? undefined : (invited_by ?? undefined),
      act: 'staff.accepted',
      detail: { invitation_id: id, invited_by: invited_by ?? 'command line' },
    })
  })
  return { status: 200, body: { roles } }
})

async function assertAddressee(
  db: App['db'],
  invitation: queries.InvitationRow,
  { user_id }: Actor,
): Promise<void> {
  if (!(await isOfferedTo(db, user_id, invitation.email)))
    throw new HttpError(409, [{ code: 'other_address' }])
}

/** True if staff must have a second factor, and this account has none. */
const lacksFactor = ({ config }: App, { factors }: Actor): boolean =>
  config.staff.needsTwoFactor && !factors.includes('totp') && !factors.includes('webauthn')
