import type { Role } from '#foundation/roles.ts'
import { withdrawAll, type Author } from '#foundation/server/approvals/decide.ts'
import { lockProposals } from '#foundation/server/approvals/queries.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import { managePermission } from '#features/team/contract.ts'
import { openInvitations, revokeInvitations, type InvitationRow } from './queries.ts'

type Approvals = Awaited<ReturnType<typeof lockProposals>>

/**
 * Withdraws the open invitations to the addresses of somebody who loses a role, and those that a former owner sent, with the
 * approvals that would send them. The attack is a key that was kept in reserve, by which they or a friend would come back.
 */
export async function endInvitationsOf(
  app: App,
  tx: Tx,
  { user_id, left, ...who }: Author & { user_id: string; left: readonly Role[] },
): Promise<void> {
  const own = new Set((await addressesOf(tx, user_id)).map(({ email }) => email))
  const ended = (await openInvitations(tx)).filter(
    ({ email, invited_by }) => own.has(email) || (invited_by === user_id && !left.includes('owner')),
  )
  if (ended.length === 0) return
  const waiting = await lockApprovalsOf(tx, ended)
  await revokeInvitations(
    tx,
    ended.map(({ id }) => id),
  )
  await withdrawAll(app, tx, waiting, who)
}

/**
 * Locks and returns the approvals that would send these invitations. Callers do this before they end the invitations: a decision
 * about an approval locks both in this order, too.
 */
export async function lockApprovalsOf(
  tx: Tx,
  invitations: readonly Pick<InvitationRow, 'id' | 'waits'>[],
): Promise<Approvals> {
  const waiting: Approvals = []
  for (const { id, waits } of invitations)
    if (waits) waiting.push(...(await lockProposals(tx, managePermission.name, { invitation_id: id })))
  return waiting
}
