import type { Role } from '#foundation/roles.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import { openInvitations, revokeInvitations } from './queries.ts'

/**
 * Withdraws the open invitations to an address of somebody who loses a role, and those that a former owner sent. The attack is a key
 * kept for that day, by which they or a friend would come back.
 */
export async function endInvitationsOf(tx: Tx, user_id: string, left: readonly Role[]): Promise<void> {
  const own = new Set((await addressesOf(tx, user_id)).map(({ email }) => email))
  const ended = (await openInvitations(tx)).filter(
    ({ email, invited_by }) => own.has(email) || (invited_by === user_id && !left.includes('owner')),
  )
  if (ended.length > 0)
    await revokeInvitations(
      tx,
      ended.map(({ id }) => id),
    )
}
