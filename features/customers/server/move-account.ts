import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { CUSTOMER_CHANGED } from '#features/customers/contract.ts'
import * as contract from '#features/customers/merge-contract.ts'
import { findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { beginReset, resetReply } from './factor-resets.ts'
import { openReset } from './factor-reset-queries.ts'
import { lockCustomer } from './lock-customer.ts'
import { accountMoveRequested } from './mails.ts'

type Input = { email: string; identity: string }

/**
 * Answers `POST …/address-move/`. The attack: somebody talks a member of support into handing over another person's account. A second member
 * confirms, every proven address is mailed a link that stops it, and nothing changes before the waiting time is over.
 */
export const moveAccount = handler(contract.moveAccount, (call) => {
  const { actor, params, body } = call
  return withApproval(contract.moveAccount, call, moveAct, async (tx) => {
    const { id: customer_id } = await lockCustomer(tx, { actor }, params.userId)
    const { email, identity, reason } = body
    await assertMovable(tx, customer_id, email)
    return { customer_id, amount: null, input: { email, identity }, reason, links: [], always: true }
  })
})

/** Begins the move. The reasons to refuse are checked again, because time has passed since the request. */
export const moveAct: ApprovableAct<Input> = {
  permission: contract.movePermission,
  async run(app: App, tx, { customer_id, reason, input: { email, identity } }, { origin, ...people }) {
    const customer = await lockCustomer(tx, { actor: undefined }, must(customer_id))
    const { id: user_id } = customer
    await assertMovable(tx, user_id, email)
    const asked = {
      reason,
      by: people.by,
      wait_s: app.config.staff.resetWait_s,
      new_email: email,
      merge_into: null,
      identity,
    }
    const made = await beginReset(app, tx, customer, { ...asked, template: accountMoveRequested })
    const detail = { ...people, reason, identity, due_at: made.due_at.toISOString() }
    await recordAction(tx, { user_id, act: 'customer.move_requested', ...origin, detail })
    await publishToStaff(tx, { type: CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
    return { body: await resetReply(app, tx, made), result: {} }
  },
  preview: async (_app, { input: { email } }) => [{ code: 'address_move', params: { email } }],
}

async function assertMovable(tx: Tx, user_id: string, email: string): Promise<void> {
  if (await openReset(tx, user_id)) throw new HttpError(409, [{ code: 'reset_pending' }])
  if (await findAccountByProvenEmail(tx, email))
    throw new HttpError(409, [{ code: 'proven_elsewhere', param: 'email' }])
}
