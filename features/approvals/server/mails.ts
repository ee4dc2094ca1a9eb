import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { decidersOf } from '#foundation/server/approvals/allowances.ts'
import { actByName } from '#foundation/server/approvals/approvable-act.ts'
import type { doneAlone } from '#foundation/server/approvals/events.ts'
import type { Approval } from '#foundation/server/approvals/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { approvalDecided, approvalWaiting, moneyAlone } from './approval-mails.ts'

/** Mails every member of staff who may decide about the action. */
export async function mailWaiting(app: App, tx: Tx, approval: Approval): Promise<void> {
  const { act, customer_id, proposed_by } = approval
  const names = await displayNames(app, tx, [customer_id, proposed_by])
  const values = {
    ...valuesOf(app, approval, names),
    by: names.of(proposed_by).name,
    expires_at: approval.expires_at,
  }
  for (const { id } of await decidersOf(app, tx, actByName(app, act), approval))
    await mailTo(app, tx, id, approvalWaiting, values)
}

/** Mails the outcome to the member who asked. */
export async function mailDecided(app: App, tx: Tx, approval: Approval): Promise<void> {
  const { status, note, customer_id, proposed_by, decided_by } = approval
  if (status === 'proposed' || status === 'withdrawn') return
  // An approval expires before its time only if the member who asked lost the permission. A member who leaves needs no mail about
  // customers.
  if (status === 'expired' && approval.expires_at > new Date()) return
  const names = await displayNames(app, tx, [customer_id, decided_by])
  const by = decided_by === null ? null : names.of(decided_by).name
  const values = { ...valuesOf(app, approval, names), status, note, by }
  await mailTo(app, tx, proposed_by, approvalDecided, values)
}

/** Tells all owners by mail that somebody acted without a second person. */
export async function mailAlone(
  app: App,
  tx: Tx,
  done: NonNullable<(typeof doneAlone)['payload']>,
): Promise<void> {
  const names = await displayNames(app, tx, [done.customer_id, done.by])
  const by = done.by === null ? null : names.of(done.by).name
  const values = { ...valuesOf(app, done, names), by, at: new Date() }
  for (const { id, staff_roles } of await staffMembers(tx))
    if (staff_roles.includes('owner')) await mailTo(app, tx, id, moneyAlone, values)
}

const valuesOf = (
  { config }: App,
  { act, amount, reason, customer_id }: Pick<Approval, 'act' | 'amount' | 'reason' | 'customer_id'>,
  names: Awaited<ReturnType<typeof displayNames>>,
) => ({
  act,
  amount: amount === null ? null : toMoney(amount, config.currency),
  reason,
  customer: customer_id === null ? null : names.of(customer_id).name,
})
