import { canonicalEmail } from '#foundation/email-address.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, conflictWith } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import type { UserRow } from '#foundation/server/session/session.ts'
import * as contract from '#features/customers/contract.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { deleteAccount } from '#features/profile/server/profile.ts'
import { assertNoneToUndo } from './assert-mergeable.ts'
import { lockCustomer } from './lock-customer.ts'
import { findCustomer } from './queries.ts'
import { COMMAND_LINE, nameOf } from './who.ts'

/** Answers `POST …/erasure/`. The typed address shows that the member means this customer; the approval does not keep it. */
export const eraseCustomer = handler(contract.eraseCustomer, (call) => {
  const { app, actor, params, body } = call
  return withApproval(contract.eraseCustomer, call, eraseAct, async (tx) => {
    const customer = await lockCustomer(tx, { actor }, params.userId)
    if (canonicalEmail(body.email) !== customer.email) throw badRequest('email_does_not_match', 'email')
    const { forfeit } = body
    await assertNothingLeft(app, tx, customer, forfeit)
    const { id: customer_id } = customer
    const input = forfeit ? { forfeit } : {}
    return { customer_id, amount: null, input, reason: body.reason, links: [], always: true }
  })
})

/** Deletes an account as its customer would. The reasons to refuse are checked again, because time has passed since the request. */
export const eraseAct: ApprovableAct<{ forfeit?: Money }> = {
  permission: contract.erasePermission,
  async run(app, tx, { customer_id, reason, input: { forfeit } }, { origin, ...people }) {
    const customer = await lockCustomer(tx, { actor: undefined }, must(customer_id))
    const given_up = forfeit ? { forfeit: forfeit.amount } : {}
    await erase(app, tx, customer, { forfeit, detail: { ...people, reason, ...given_up }, origin })
    return { body: { erased: true }, result: {} }
  },
  async preview(app, { customer_id }) {
    const hosts = (await findCustomer(app.db, must(customer_id)))?.hosts ?? 0
    return [{ code: 'erasure', params: { hosts: String(hosts) } }]
  },
}

type Erasure = {
  /** The sum that the customer gives up; undefined for a balance of 0. */
  forfeit: Money | undefined
  detail: Record<string, unknown>
  origin?: { ip: string; user_agent: string; request_id: string } | undefined
}

async function erase(
  app: App,
  tx: Tx,
  customer: UserRow,
  { forfeit, detail, origin }: Erasure,
): Promise<void> {
  await assertNothingLeft(app, tx, customer, forfeit)
  const audited = { act: 'customer.erased' as const, ...origin, detail }
  await deleteAccount(app, tx, customer, { forfeit, by_staff: true, audited })
  await publishToStaff(tx, { type: contract.CUSTOMER_CHANGED, user_id: customer.id })
}

/**
 * Throws 409 `merge_undoable`, 409 `customer_balance_left` unless the balance is 0, or the customer gives up exactly this sum, and 409 `customer_debt_left` for a
 * debt: money or a debt would be lost with the account (rule 61).
 */
async function assertNothingLeft(
  app: App,
  tx: Tx,
  { id }: UserRow,
  forfeit: Money | undefined,
): Promise<void> {
  await assertNoneToUndo(tx, id)
  const left = await balanceOf(app, tx, id)
  const balance = toMoney(left, app.config.currency)
  if (left < 0n) throw conflictWith({ code: 'customer_debt_left' }, { balance })
  const isGivenUp = forfeit?.amount === balance.amount && forfeit.currency === balance.currency
  if (left > 0n && !isGivenUp) throw conflictWith({ code: 'customer_balance_left' }, { balance })
}

/** Deletes an account for the command line, without a second person. */
export async function eraseByCommand(app: App, customer_id: string, reason: string): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const customer = await lockCustomer(tx, COMMAND_LINE, customer_id)
    await erase(app, tx, customer, { forfeit: undefined, detail: { by: nameOf(COMMAND_LINE), reason } })
  })
}
