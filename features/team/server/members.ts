import { inOrder, roles, mayDo, type Role } from '#foundation/roles.ts'
import { introductionsOf } from '#foundation/server/approvals/bar-queries.ts'
import { proposedInputs } from '#foundation/server/approvals/queries.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { findUser, staffMembers } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { openTicketsOf } from '#features/support/server/support.ts'
import * as contract from '#features/team/contract.ts'
import { rolesAct } from './roles-act.ts'
import { invitationReplies } from './invitation-replies.ts'
import { openInvitations } from './queries.ts'

/** Answers `GET /api/staff/members/`. */
export const listMembers = handler(contract.listMembers, async ({ app }) => {
  const members = await staffMembers(app.db)
  const ids = members.map(({ id }) => id)
  const introductions = await introductionsOf(app.db, ids)
  const names = await displayNames(app, app.db, [
    ...ids,
    ...[...introductions.values()].map((one) => one.by_id),
  ])
  const tickets = await openTicketsOf(app.db, ids)
  const waiting = await proposedInputs<{ roles: Role[] }>(app.db, contract.managePermission.name)
  const items = members.map(({ id, email, staff_roles, factors, last_seen_at }) => ({
    id,
    name: names.of(id).name,
    email,
    roles: staff_roles,
    two_factor: factors.includes('totp') || factors.includes('webauthn'),
    last_seen_at: last_seen_at?.toISOString() ?? null,
    open_tickets: tickets.get(id) ?? 0,
    introduced: introducedReply(introductions.get(id), names),
    waiting_roles: waiting.get(id)?.roles ?? null,
  }))
  const invitations = await invitationReplies(app, app.db, await openInvitations(app.db))
  return { status: 200, body: { items, invitations, permissions: app.permissions.map(permissionOf) } }
})

const introducedReply = (
  one: { by_id: string; until: Date } | undefined,
  names: Awaited<ReturnType<typeof displayNames>>,
) => (one ? { by: names.of(one.by_id), until: one.until.toISOString() } : null)

const permissionOf = (one: Parameters<typeof mayDo>[1]): { name: string; roles: Role[] } => ({
  name: one.name,
  roles: roles.filter((role) => mayDo([role], one)),
})

/**
 * Answers `PUT /api/staff/members/{userId}/roles/`. The contract refuses an own account and one linked with it: nobody gives themselves a
 * role, and nobody locks themselves out by a slip.
 */
export const giveRolesTo = handler(contract.giveRoles, async (call) => {
  const { params, body } = call
  const { userId: user_id } = params
  return withApproval(contract.giveRoles, call, rolesAct, async (tx) => {
    const user = await findUser(tx, user_id)
    if (!user?.is_active || user.kind !== 'person') throw notFound()
    const before = user.staff_roles
    const given = inOrder(body.roles)
    // Without `from` the present roles are used: the roles that are judged here must still hold when the change is written.
    const from = body.from ? inOrder(body.from) : before
    if (from.join() !== before.join() && given.join() !== before.join())
      throw new HttpError(409, [{ code: 'changed' }])
    const input = { kind: 'roles' as const, roles: given, from }
    const always = given.includes('owner') !== before.includes('owner')
    return { customer_id: user_id, amount: null, input, reason: body.reason, links: [], always }
  })
})
