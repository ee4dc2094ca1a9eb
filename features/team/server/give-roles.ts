import { inOrder, type Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import {
  assertOwnerStays,
  endSessionsOf,
  lockUser,
  setStaffRoles,
  staffMembers,
} from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { releaseTicketsOf } from '#features/support/server/support.ts'
import { ROLES_CHANGED } from '#features/team/contract.ts'
import { rolesChanged } from './mail-templates.ts'

export type GivenRoles = {
  user_id: string
  /** None revokes. */
  roles: readonly Role[]
  /** The roles when this was decided: if they have changed since, nothing changes. */
  from?: readonly Role[] | undefined
  reason: string
  /** The id of a member, or the command line. */
  by: string
  origin?: { ip: string; user_agent: string; request_id: string }
}

/**
 * Gives somebody these roles instead of those they have. Where one is taken all their sessions end, and with the last one their
 * tickets go back, in this transaction: the next call of a stolen or forgotten session is 401. The same roles again write nothing.
 * Throws 404 for nobody, 409 `last_owner` and `changed`.
 */
export async function giveRoles(app: App, tx: Tx, change: GivenRoles): Promise<Role[]> {
  const { user_id, reason, by, origin } = change
  const roles = inOrder(change.roles)
  if (!roles.includes('owner')) await assertOwnerStays(tx, user_id)
  const user = await lockUser(tx, user_id)
  if (!user?.is_active) throw notFound()
  const before = user.staff_roles
  if (before.join() === roles.join()) return roles
  if (change.from && before.join() !== inOrder(change.from).join())
    throw new HttpError(409, [{ code: 'changed' }])
  const owners = (await staffMembers(tx)).filter(({ staff_roles }) => staff_roles.includes('owner'))
  await setStaffRoles(tx, user_id, roles)
  if (before.some((role) => !roles.includes(role))) await endSessionsOf(tx, user_id)
  const released = roles.length === 0 ? await releaseTicketsOf(tx, user_id) : 0
  const act = roles.length === 0 ? 'staff.revoked' : 'staff.roles_changed'
  await recordAction(tx, { user_id, act, ...origin, detail: { by, before, roles, reason, released } })
  const { name } = (await displayNames(app, tx, [user_id])).of(user_id)
  const readers = new Map([...owners, user].map((one) => [one.id, one]))
  for (const { id, email, locale } of readers.values()) {
    const values = { name, roles, reason, is_reader: id === user_id, at: new Date() }
    await enqueueMail(app, tx, { user_id: id, to: email, locale, template: rolesChanged, values })
  }
  await publish(tx, user_id, { type: ROLES_CHANGED, user_id })
  await publishToStaff(tx, { type: ROLES_CHANGED, user_id }, { hidden_from: user_id })
  return roles
}
