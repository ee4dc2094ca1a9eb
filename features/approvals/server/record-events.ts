import { toMoney } from '#foundation/money.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Approval } from '#foundation/server/approvals/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { approvalRequested } from '#features/approvals/event-contract.ts'

/** Records for the operator that an act waits for a second person. */
export function recordRequest({ config }: App, tx: Tx, approval: Approval): void {
  const { id, act, why, amount, reason, customer_id } = approval
  record(tx, customer_id, approvalRequested, {
    id,
    act,
    why,
    amount: amount === null ? null : toMoney(amount, config.currency),
    reason,
    proposed_at: approval.proposed_at.toISOString(),
    expires_at: approval.expires_at.toISOString(),
  })
}
