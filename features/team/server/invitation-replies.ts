import type { App } from '#foundation/server/app.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { StaffInvitation } from '#features/team/contract.ts'
import type { InvitationRow } from './queries.ts'

/** The invitations as staff see them, with the names of the people who invited. */
export async function invitationReplies(
  app: App,
  db: App['db'],
  rows: readonly InvitationRow[],
): Promise<StaffInvitation[]> {
  const names = await displayNames(
    app,
    db,
    rows.map(({ invited_by }) => invited_by),
  )
  return rows.map(({ id, email, roles, invited_by, created_at, expires_at, waits }) => ({
    id,
    email,
    roles,
    invited_by: invited_by === null ? null : names.of(invited_by),
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    waits,
  }))
}
