import type { App } from '#foundation/server/app.ts'
import type { MoneyAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/finance/contract.ts'
import { lockBalance } from './ledger-queries.ts'
import { post } from './ledger.ts'
import { debtWrittenOff, paidOut, notifyCustomer } from './mails.ts'
import { assertPayable, takeMoneyOut } from './money-out.ts'
import { balancePreview, linksWith, recordBooked } from './staff.ts'

/** Answers `POST …/pay-outs/`: staff have paid money of a balance back to its customer, outside of this product. */
export const payOut = handler(contract.payOut, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id } = params
  const amount = BigInt(body.amount)
  return withApproval(contract.payOut, call, payOutAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    await assertPayable(app, tx, customer_id, amount)
    return { customer_id, amount, input: { reference: body.reference }, reason: body.reason, links }
  })
})

export const payOutAct: MoneyAct<{ reference: string }> = {
  name: 'finance.pay_out',
  permission: contract.refundPermission,
  allowances: ({ staffAlone }) => staffAlone.refund,
  async run(app, tx, { customer_id: user_id, amount, input: { reference }, reason }, by) {
    const pieces = await assertPayable(app, tx, user_id, amount)
    const description = { code: 'pay_out', params: { provider: 'bank', reference, reason } } as const
    const { last } = await takeMoneyOut(app, tx, { user_id, provider: 'bank', description, amount, pieces })
    const { transaction_id, balance_after: balance } = last
    await notifyCustomer(app, tx, user_id, paidOut, { amount, balance })
    const body = await recordBooked(tx, { by, user_id, transaction_id, act: 'finance.paid_out', reason })
    return { body, result: { transaction_id } }
  },
  preview: async (app, { customer_id, amount }) => [await balancePreview(app, customer_id, -amount)],
}

/** Answers `POST …/write-offs/`: the operator gives up a debt of a customer, or a part of it. */
export const writeOff = handler(contract.writeOffDebt, (call) => {
  const { app, actor, params, body } = call
  const { userId: customer_id } = params
  const amount = BigInt(body.amount)
  return withApproval(contract.writeOffDebt, call, writeOffAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    await assertOwed(app, tx, customer_id, amount)
    return { customer_id, amount, input: {}, reason: body.reason, links }
  })
})

export const writeOffAct: MoneyAct<object> = {
  name: 'finance.write_off',
  permission: contract.refundPermission,
  allowances: ({ staffAlone }) => staffAlone.credit,
  async run(app, tx, { customer_id: user_id, amount, reason }, by) {
    await assertOwed(app, tx, user_id, amount)
    const description = { code: 'written_off', params: { reason } } as const
    const booking = { type: 'fill_balance_voucher', user_id, amount, description } as const
    const { transaction_id, balance_after: balance } = await post(app, tx, booking)
    await notifyCustomer(app, tx, user_id, debtWrittenOff, { amount, balance })
    const body = await recordBooked(tx, { by, user_id, transaction_id, act: 'finance.written_off', reason })
    return { body, result: { transaction_id } }
  },
  preview: async (app, { customer_id, amount }) => [await balancePreview(app, customer_id, amount)],
}

/** Throws 409 `no_such_debt` if the customer owes less than the amount. Locks the balance. */
async function assertOwed(app: App, tx: Tx, user_id: string, amount: bigint): Promise<void> {
  const balance = (await lockBalance(tx, { user_id, currency: app.config.currency })) ?? 0n
  if (-balance < amount) throw new HttpError(409, [{ code: 'no_such_debt' }])
}
