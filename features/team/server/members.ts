import { roles, mayDo, type Role } from '#foundation/roles.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { openTicketsOf } from '#features/support/server/support.ts'
import * as contract from '#features/team/contract.ts'
import { giveRoles } from './give-roles.ts'
import { invitationReplies } from './invitations.ts'
import { openInvitations } from './queries.ts'

/** Answers `GET /api/staff/members/`. */
export const listMembers = handler(contract.listMembers, async ({ app }) => {
  const members = await staffMembers(app.db)
  const ids = members.map(({ id }) => id)
  const names = await displayNames(app, app.db, ids)
  const tickets = await openTicketsOf(app.db, ids)
  const items = members.map(({ id, email, staff_roles, factors, last_seen_at }) => ({
    id,
    name: names.of(id).name,
    email,
    roles: staff_roles,
    two_factor: factors.includes('totp') || factors.includes('webauthn'),
    last_seen_at: last_seen_at?.toISOString() ?? null,
    open_tickets: tickets.get(id) ?? 0,
  }))
  const invitations = await invitationReplies(app, app.db, await openInvitations(app.db))
  return { status: 200, body: { items, invitations, permissions: app.permissions.map(permissionOf) } }
})

const permissionOf = (one: Parameters<typeof mayDo>[1]): { name: string; roles: Role[] } => ({
  name: one.name,
  roles: roles.filter((role) => mayDo([role], one)),
})

/** Answers `PUT /api/staff/members/{userId}/roles/`. */
export const giveRolesTo = handler(contract.giveRoles, async ({ app, actor, caller, params, body }) => {
  const { userId: user_id } = params
  // Nobody gives themselves a role, and nobody locks themselves out by a slip.
  if (user_id === actor.user_id) throw new HttpError(403, [{ code: 'own_account' }])
  const change = { user_id, ...body, by: actor.user_id, origin: originOf(caller) }
  const given = await transaction(app, 'system', (tx) => giveRoles(app, tx, change))
  return { status: 200, body: { roles: given } }
})
