import type { Act } from '#texts/acts.js'
import { withApproval } from '#foundation/server/approvals/with-approval.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { linksWith } from '#features/finance/server/finance.ts'
import * as contract from '#features/banking/contract.ts'
import { assertBooked, assertOpen, assignAct, lockLine, lockOpen, replyFor, reverseAct } from './line-acts.ts'
import * as queries from './queries.ts'

/** Answers `POST …/bank-lines/{lineId}/assignment/`. */
export const assignBankLine = handler(contract.assignBankLine, (call) => {
  const { app, actor, params, body } = call
  const { user_id: customer_id, top_up, reason } = body
  return withApproval(contract.assignBankLine, call, assignAct, async (tx) => {
    const links = await linksWith(app, tx, actor, customer_id)
    const { amount } = assertOpen(await queries.lineOf(tx, params.lineId))
    const input = { line_id: params.lineId, ...(top_up !== undefined && { top_up }) }
    return { customer_id, amount: amount < 0n ? -amount : amount, input, reason, links }
  })
})

/** Answers `POST …/bank-lines/{lineId}/ignoring/`. */
export const ignoreBankLine = handler(contract.ignoreBankLine, ({ app, actor, caller, params, body }) => {
  return transaction(app, 'system', async (tx) => {
    const line = await lockOpen(tx, params.lineId)
    await queries.updateLine(tx, line.id, { state: 'ignored' })
    await record(tx, actor, caller, {
      user_id: null,
      act: 'bank.ignored',
      line_id: line.id,
      reason: body.reason,
    })
    await publishToStaff(tx, { type: contract.BANK_LINES_CHANGED })
    return { status: 200, body: await replyFor(app, tx, line.id) } as const
  })
})

/** Answers `DELETE …/bank-lines/{lineId}/ignoring/`. */
export const reopenBankLine = handler(contract.reopenBankLine, ({ app, actor, caller, params }) => {
  return transaction(app, 'system', async (tx) => {
    const line = await lockLine(tx, params.lineId)
    if (line.state !== 'ignored') throw new HttpError(409, [{ code: 'line_not_ignored' }])
    await queries.updateLine(tx, line.id, { state: 'open' })
    await record(tx, actor, caller, { user_id: null, act: 'bank.reopened', line_id: line.id })
    await publishToStaff(tx, { type: contract.BANK_LINES_CHANGED })
    return { status: 200, body: await replyFor(app, tx, line.id) } as const
  })
})

/** Answers `POST …/bank-lines/{lineId}/reversal/`. */
export const reverseBankLine = handler(contract.reverseBankLine, (call) => {
  const { app, actor, params, body } = call
  return withApproval(contract.reverseBankLine, call, reverseAct, async (tx) => {
    const { user_id: customer_id, amount } = assertBooked(await queries.lineOf(tx, params.lineId))
    const links = await linksWith(app, tx, actor, customer_id)
    return { customer_id, amount, input: { line_id: params.lineId }, reason: body.reason, links }
  })
})

async function record(
  tx: Tx,
  actor: Actor,
  caller: Caller,
  { user_id, act, ...detail }: { user_id: string | null; act: Act; line_id: string; reason?: string },
): Promise<void> {
  await recordAction(tx, { user_id, act, ...originOf(caller), detail: { by: actor.user_id, ...detail } })
}
