import type { Act } from '#texts/acts.js'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { must } from '#foundation/must.ts'
import { linksWith, takeBankMoneyBack } from '#features/finance/server/finance.ts'
import * as contract from '#features/banking/contract.ts'
import { book, bookReturn, eventOf } from './booking.ts'
import { lineReply } from './line-reply.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'

/** Apart from the transactions that move money, which must not publish (rule 29). */
export const ANNOUNCE_LINES = jobKind('announce_bank_lines', 'rest')

/** Answers `POST …/bank-lines/{lineId}/assignment/`. */
export const assignBankLine = handler(contract.assignBankLine, async (call) => {
  const { app, actor, caller, params, body } = call
  const work = async (tx: Tx) => {
    await assertUnlinked(app, tx, actor, body.user_id)
    const line = await lockOpen(tx, params.lineId)
    const { user_id, reason } = body
    if (line.amount > 0n) await book(app, tx, line, { user_id, top_up: body.top_up })
    else await bookReturn(app, tx, line, { user_id, top_up: body.top_up, reason })
    await record(tx, actor, caller, { user_id, act: 'bank.assigned', line_id: line.id, reason })
    await announceLater(tx)
    return { status: 201, body: await replyFor(app, tx, line.id) } as const
  }
  return withIdempotencyKey(contract.assignBankLine, call, work, 'system')
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
    const line = await locked(tx, params.lineId)
    if (line.state !== 'ignored') throw new HttpError(409, [{ code: 'line_not_ignored' }])
    await queries.updateLine(tx, line.id, { state: 'open' })
    await record(tx, actor, caller, { user_id: null, act: 'bank.reopened', line_id: line.id })
    await publishToStaff(tx, { type: contract.BANK_LINES_CHANGED })
    return { status: 200, body: await replyFor(app, tx, line.id) } as const
  })
})

/** Answers `POST …/bank-lines/{lineId}/reversal/`. */
export const reverseBankLine = handler(contract.reverseBankLine, async (call) => {
  const { app, actor, caller, params, body } = call
  const work = async (tx: Tx) => {
    const line = await locked(tx, params.lineId)
    const { user_id, top_up, amount } = line
    if (line.state !== 'booked' || user_id === null || top_up === null || amount < 0n)
      throw new HttpError(409, [{ code: 'line_not_booked' }])
    await assertUnlinked(app, tx, actor, user_id)
    const event_id = `${eventOf(line)}:back`
    await takeBankMoneyBack(app, tx, { event_id, user_id, top_up, amount, reason: body.reason })
    await queries.updateLine(tx, line.id, {
      state: 'open',
      match: 'unknown',
      cause: null,
      user_id: null,
      top_up: null,
      transaction_id: null,
    })
    await record(tx, actor, caller, { user_id, act: 'bank.reversed', line_id: line.id, reason: body.reason })
    await announceLater(tx)
    return { status: 201, body: await replyFor(app, tx, line.id) } as const
  }
  return withIdempotencyKey(contract.reverseBankLine, call, work, 'system')
})

/**
 * The attack is a member who books a payment of others to an account of their own. A fact that only suggests one person is enough here: a
 * colleague without it books the payment instead. Throws 403 `own_account`.
 */
async function assertUnlinked(app: App, tx: Tx, actor: Actor, user_id: string): Promise<void> {
  if ((await linksWith(app, tx, actor, user_id)).length > 0)
    throw new HttpError(403, [{ code: 'own_account' }])
}

async function locked(tx: Tx, id: string): Promise<LineRow> {
  const line = await queries.lockLine(tx, id)
  if (!line) throw notFound()
  return line
}

async function lockOpen(tx: Tx, id: string): Promise<LineRow> {
  const line = await locked(tx, id)
  if (line.state !== 'open') throw new HttpError(409, [{ code: 'line_not_open' }])
  return line
}

const replyFor = async (app: App, tx: Tx, id: string): Promise<contract.BankLine> =>
  must((await lineReply(app, tx, [must(await queries.lineOf(tx, id))]))[0])

async function record(
  tx: Tx,
  actor: Actor,
  caller: Caller,
  { user_id, act, ...detail }: { user_id: string | null; act: Act; line_id: string; reason?: string },
): Promise<void> {
  await recordAction(tx, { user_id, act, ...originOf(caller), detail: { by: actor.user_id, ...detail } })
}

const announceLater = (tx: Tx) => enqueue(tx, ANNOUNCE_LINES, {}, { key: 'announce_bank_lines' })
