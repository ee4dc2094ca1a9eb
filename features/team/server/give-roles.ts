import type { Act } from '#texts/acts.js'
import { inOrder, type Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { noteIntroduction } from '#foundation/server/approvals/bar-queries.ts'
import { expireProposalsOf } from '#foundation/server/approvals/jobs.ts'
import type { Author } from '#foundation/server/approvals/decide.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import {
  assertOwnerStays,
  endSessionsOf,
  findUser,
  lockUser,
  setStaffRoles,
  staffMembers,
} from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { releaseTicketsOf } from '#features/support/server/support.ts'
import { ROLES_CHANGED } from '#features/team/contract.ts'
import { endInvitationsOf } from './end-invitations.ts'
import { rolesChanged } from './mails.ts'

type Why = {
  /** The reason that the mails show; left out if they say enough without it. */
  reason?: string
  /** The id of a member, or 'command line'. */
  by: string
  origin?: { ip: string; user_agent: string; request_id: string } | undefined
  /** The member who brings the person in, where no second owner confirmed it; for 14 days neither decides on what the other asks for. */
  introduced_by?: string | undefined
}

type GivenRoles = Why & {
  user_id: string
  /** The roles to have from now on; an empty list revokes. */
  roles: readonly Role[]
  /** The roles when this was decided: if they have changed since, nothing changes. */
  from?: readonly Role[] | undefined
  /** Further details for the audit, such as the second owner. */
  detail?: Record<string, unknown>
}

/**
 * Gives somebody these roles instead of those they have. If a role is taken, all their sessions end, and with the last one their
 * tickets go back, in this transaction: the next call of a stolen or forgotten session is 401. The same roles again write nothing.
 * Throws 404 if there is no such account, 409 `last_owner` and `changed`.
 */
export async function giveRoles(app: App, tx: Tx, change: GivenRoles): Promise<Role[]> {
  const { user_id } = change
  const roles = inOrder(change.roles)
  if (!roles.includes('owner')) await assertOwnerStays(tx, user_id)
  // The proposals are locked before the row of the member, in the order in which a decision about one of them locks both.
  await expireProposalsOf(app, tx, user_id, roles)
  const user = await lockUser(tx, user_id)
  if (!user?.is_active) throw notFound()
  const before = user.staff_roles
  if (change.from && before.join() !== roles.join() && before.join() !== inOrder(change.from).join())
    throw new HttpError(409, [{ code: 'changed' }])
  return writeRoles(app, tx, user, { act: 'staff.roles_changed', ...change, roles })
}

/** Gives somebody these roles besides those they have. `act` and `detail` are for the audit. */
export async function addRoles(
  app: App,
  tx: Tx,
  change: Why & { user_id: string; roles: readonly Role[]; act?: Act; detail?: Record<string, unknown> },
): Promise<Role[]> {
  const user = await lockUser(tx, change.user_id)
  if (!user?.is_active) throw notFound()
  const roles = inOrder([...user.staff_roles, ...change.roles])
  return writeRoles(app, tx, user, { act: 'staff.roles_changed', ...change, roles })
}

/** Takes all roles of somebody whose account is being deleted. The owners get a mail; the person gets none, since their account is gone. */
export async function leave(app: App, tx: Tx, user_id: string): Promise<void> {
  const user = await findUser(tx, user_id)
  if (!user?.is_staff) return
  await expireProposalsOf(app, tx, user_id, [])
  await writeRoles(app, tx, user, { act: 'staff.roles_changed', roles: [], by: user_id, hasLeft: true })
}

type User = NonNullable<Awaited<ReturnType<typeof lockUser>>>
type Change = Why & { roles: Role[]; act: Act; detail?: Record<string, unknown>; hasLeft?: true }

async function writeRoles(app: App, tx: Tx, user: User, change: Change): Promise<Role[]> {
  const { roles, by, reason, origin, detail = {}, hasLeft } = change
  const { id: user_id, staff_roles: before } = user
  const isTaken = before.some((role) => !roles.includes(role))
  const owners = (await staffMembers(tx)).filter(({ staff_roles }) => staff_roles.includes('owner'))
  const isSame = before.join() === roles.join()
  if (!isSame) await setStaffRoles(tx, user_id, roles)
  const introduced_by = roles.some((role) => !before.includes(role)) ? change.introduced_by : undefined
  if (introduced_by !== undefined) await noteIntroduction(tx, user_id, introduced_by)
  const released = isTaken ? await takeRights(app, tx, { user_id, left: roles, by, origin }) : 0
  if (isSame && Object.keys(detail).length === 0) return roles
  const act = roles.length === 0 ? 'staff.revoked' : change.act
  await recordAction(tx, {
    user_id,
    act,
    ...origin,
    detail: { by, before, roles, reason, released, ...detail },
  })
  if (isSame) return roles
  const names = await displayNames(app, tx, [user_id, introduced_by ?? null])
  const { name } = names.of(user_id)
  const introducer = introduced_by === undefined ? undefined : names.of(introduced_by).name
  const readers = new Set([...owners, user].map(({ id }) => id))
  if (hasLeft) readers.delete(user_id)
  // Example accounts may all be deleted at once, and nobody reads their mails.
  for (const id of user.is_example && hasLeft ? [] : readers) {
    const values = { name, roles, reason, introducer, is_reader: id === user_id, at: new Date() }
    await mailTo(app, tx, id, rolesChanged, values)
  }
  await publish(tx, user_id, { type: ROLES_CHANGED, user_id })
  await publishToStaff(tx, { type: ROLES_CHANGED, user_id }, { hidden_from: user_id })
  return roles
}

/** Ends everything that depends on the roles that were taken, in the same transaction. Returns the number of tickets that went back. */
async function takeRights(
  app: App,
  tx: Tx,
  taken: Author & { user_id: string; left: Role[] },
): Promise<number> {
  const { user_id, left } = taken
  await endSessionsOf(tx, user_id)
  await endInvitationsOf(app, tx, taken)
  return left.length === 0 ? releaseTicketsOf(tx, user_id) : 0
}
