import type { MoneyAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { bankBookPermission, refundPermission } from '#features/finance/contract.ts'
import { assertOther, assertPayable, balancePreview, linksWith } from '#features/finance/server/finance.ts'
import { payToBank } from '#features/payouts/contract.ts'
import * as contract from '#features/payouts/staff-contract.ts'
import { accountPreview, addressKept, keepAccount } from './accounts.ts'
import { payToAccount } from './create.ts'
import { bringBack, ended, sendPayout } from './end.ts'
import { lockPayout, type PayoutRow } from './queries.ts'
import { toStaffReply } from './replies.ts'

/** Answers `POST …/payouts/{id}/sent/`. Recording it again changes nothing. */
export const markSent = handler(contract.markPayoutSent, ({ app, actor, caller, params }) =>
  transaction(app, 'system', async (tx) => {
    await assertOther(tx, actor, params.userId)
    const row = await locked(tx, params.id, params.userId)
    if (row.way !== 'bank' || !['requested', 'sent'].includes(row.state)) throw ended()
    if (row.state === 'sent') return { status: 200, body: await toStaffReply(app, tx, row) } as const
    const sent = await sendPayout(app, tx, row)
    const detail = { by: actor.user_id, reference: row.reference, amount: row.amount.toString() }
    await recordAction(tx, { user_id: row.user_id, act: 'payouts.sent', ...originOf(caller), detail })
    return { status: 200, body: await toStaffReply(app, tx, sent) } as const
  }),
)

/** Answers `POST …/payouts/{id}/return/`. */
export const bringBackByStaff = handler(contract.returnPayout, (call) => {
  const { app, actor, params, body } = call
  return withApproval(contract.returnPayout, call, returnAct, async (tx) => {
    const links = await linksWith(app, tx, actor, params.userId)
    await assertOther(tx, actor, params.userId)
    const row = await locked(tx, params.id, params.userId)
    assertReturnable(row)
    const { user_id: customer_id, amount } = row
    return { customer_id, amount, input: { payout: params.id }, reason: body.reason, links }
  })
})

/** Money that came back goes on to the balance without a bank's word, so above an allowance a second person confirms it. */
export const returnAct: MoneyAct<{ payout: string }> = {
  name: 'payouts.return',
  permission: bankBookPermission,
  allowances: ({ staffAlone }) => staffAlone.refund,
  async run(app, tx, { input, reason }, { origin, ...people }) {
    const row = await locked(tx, input.payout)
    assertReturnable(row)
    const back = await bringBack(app, tx, row, reason)
    const detail = { ...people, reference: row.reference, amount: row.amount.toString(), reason }
    await recordAction(tx, { user_id: row.user_id, act: 'payouts.returned', ...origin, detail })
    return { body: await toStaffReply(app, tx, back), result: { payout: input.payout } }
  },
  preview: async (app, { customer_id, amount }) => [await balancePreview(app, customer_id, amount)],
}

/** Answers `POST …/customers/{userId}/payouts/`. The account is kept apart, so that an approval holds no IBAN. */
export const payOutToBank = handler(payToBank, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id } = params
  const amount = BigInt(body.amount)
  return withApproval(payToBank, call, payToBankAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    await assertOther(tx, actor, customer_id)
    const account_id = await keepAccount(app, tx, customer_id, body, await addressKept(app, tx, customer_id))
    await assertPayable(app, tx, customer_id, amount)
    return { customer_id, amount, input: { account_id }, reason: body.reason, links }
  })
})

export const payToBankAct: MoneyAct<{ account_id: string }> = {
  name: 'payouts.bank',
  permission: refundPermission,
  allowances: ({ staffAlone }) => staffAlone.refund,
  async run(app, tx, { customer_id: user_id, amount, input: { account_id }, reason }, { origin, ...people }) {
    const wanted = { user_id, amount, account_id, requested_by: people.by, reason }
    const row = await payToAccount(app, tx, wanted)
    const detail = { ...people, reference: row.reference, amount: amount.toString(), reason }
    await recordAction(tx, { user_id, act: 'payouts.requested', ...origin, detail })
    return { body: await toStaffReply(app, tx, row), result: { payout: row.public_id } }
  },
  preview: async (app, { customer_id, amount, input: { account_id } }) => [
    ...(await accountPreview(app, account_id)),
    await balancePreview(app, customer_id, -amount),
  ],
}

/** Returns a payout, of this customer if one is named, locked. Throws 404. */
export async function locked(tx: Tx, public_id: string, user_id?: string): Promise<PayoutRow> {
  const row = await lockPayout(tx, public_id)
  if (!row || (user_id !== undefined && row.user_id !== user_id)) throw notFound()
  return row
}

/**
 * Throws 409 `payout_ended` for a payout whose money is on the balance again, and for one to a source: the provider alone says how it ended,
 * or money that it still sends would be on the balance, too.
 */
export function assertReturnable({ way, state }: PayoutRow): void {
  if (way === 'source' || state === 'failed' || state === 'returned') throw ended()
}
