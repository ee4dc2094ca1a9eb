import type { Act } from '#texts/acts.js'
import { isUuid } from '#foundation/uuid.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { MoneyAct, MoneyMove } from '#foundation/server/approvals/approvable-act.ts'
import type { By, RequestedMoney } from '#foundation/server/approvals/requested-act.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { OwnedThing } from '#foundation/server/acting.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { balancePreview, correctBankLine } from '#features/finance/server/finance.ts'
import type { BankLine } from '#features/banking/contract.ts'
import { bankBookPermission } from '#features/finance/contract.ts'
import { book, bookReturn, eventOf } from './booking.ts'
import { lineReply } from './line-reply.ts'
import * as queries from './queries.ts'
import type { LineRow } from './queries.ts'

/** The job that publishes changes of payments, because transactions that move money must not publish themselves (rule 29). */
export const ANNOUNCE_LINES = jobKind('announce_bank_lines', 'rest')

type Assigned = { line_id: string; top_up?: string }

/** Books a payment to a customer. As the statement proves the money, approval is needed only if member and customer share a fact. */
export const assignAct: MoneyMove<Assigned> = {
  name: 'banking.assign',
  permission: bankBookPermission,
  async run(app, tx, { customer_id: user_id, input, reason }, by) {
    const line = await lockOpen(tx, input.line_id)
    const to = { user_id, top_up: input.top_up }
    if (line.amount > 0n) await book(app, tx, line, to)
    else await bookReturn(app, tx, line, { ...to, reason })
    return done(app, tx, line, { by, act: 'bank.assigned', user_id, reason })
  },
  preview: (app, asked) => preview(app, asked, (amount) => amount),
}

/** Undoes the booking of a payment to the wrong customer: unlike a return, no bank has moved money. */
export const reverseAct: MoneyAct<{ line_id: string }> = {
  name: 'banking.reverse',
  permission: bankBookPermission,
  allowances: ({ staffAlone }) => staffAlone.transfer,
  async run(app, tx, { customer_id: user_id, input, reason }, by) {
    const line = await lockLine(tx, input.line_id)
    const { amount } = assertBooked(line)
    if (line.user_id !== user_id) throw lineNotBooked()
    await correctBankLine(app, tx, { event_id: eventOf(line), user_id, amount, reason })
    await queries.updateLine(tx, line.id, {
      state: 'open',
      match: 'unknown',
      cause: null,
      user_id: null,
      // A return still names the transfer that it gave back.
      top_up: line.amount < 0n ? line.top_up : null,
      transaction_id: null,
    })
    return done(app, tx, line, { by, act: 'bank.reversed', user_id, reason })
  },
  preview: (app, asked) => preview(app, asked, (amount) => -amount),
}

/** No member of staff acts on a payment that is booked to themselves. */
export const ownedBankLine: OwnedThing = {
  parameter: 'lineId',
  ownerOf: async (db, id) => (isUuid(id) ? (await queries.lineOf(db, id))?.user_id : undefined),
}

/** Returns the payment if it is open. Throws 404 if there is none, and 409 `line_not_open`. */
export function assertOpen(line: LineRow | undefined): LineRow {
  if (!line) throw notFound()
  if (line.state !== 'open') throw new HttpError(409, [{ code: 'line_not_open' }])
  return line
}

/** Returns the facts of a booked payment; `amount` is positive. Throws 404 if there is no payment, and 409 `line_not_booked`. */
export function assertBooked(line: LineRow | undefined): { user_id: string; amount: bigint } {
  if (!line) throw notFound()
  const { state, user_id, amount } = line
  if (state !== 'booked' || user_id === null) throw lineNotBooked()
  return { user_id, amount: amount < 0n ? -amount : amount }
}

const lineNotBooked = () => new HttpError(409, [{ code: 'line_not_booked' }])

export async function lockLine(tx: Tx, id: string): Promise<LineRow> {
  const line = await queries.lockLine(tx, id)
  if (!line) throw notFound()
  return line
}

export const lockOpen = async (tx: Tx, id: string): Promise<LineRow> => assertOpen(await lockLine(tx, id))

export const replyFor = async (app: App, tx: Tx, id: string): Promise<BankLine> =>
  must((await lineReply(app, tx, [must(await queries.lineOf(tx, id))]))[0])

type Done = { by: By; act: Act; user_id: string; reason: string }

async function done(app: App, tx: Tx, { id: line_id }: LineRow, { by, act, user_id, reason }: Done) {
  const { origin, ...people } = by
  await recordAction(tx, { user_id, act, ...origin, detail: { ...people, line_id, reason } })
  enqueue(tx, ANNOUNCE_LINES, {}, { key: 'announce_bank_lines' })
  return { body: await replyFor(app, tx, line_id), result: { line_id } }
}

async function preview(
  app: App,
  { customer_id, input }: RequestedMoney<{ line_id: string }>,
  change: (amount: bigint) => bigint,
) {
  const { name, booked_on, amount } = must(await queries.lineOf(app.db, input.line_id))
  const line = { code: 'bank_line', params: { name, date: booked_on } }
  return [line, await balancePreview(app, customer_id, change(amount))]
}
