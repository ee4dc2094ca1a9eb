import { seeMoney } from '#foundation/capability.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { notFound, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import * as contract from '#features/finance/contract.ts'
import { failPayment } from './fail-payment.ts'
import * as templates from './transfer-mails.ts'
import { expireOld, remindOld } from './late-top-up-queries.ts'
import * as queries from './top-up-queries.ts'
import type { TopUpRow } from './top-up-queries.ts'
import { recordTopUp } from './record-events.ts'
import { toTopUpReply } from './top-up-reply.ts'

/** Bank transfers that wait for their money (decision 032). */

// The most waiting transfers, more than any customer needs; without a limit one customer could send mails to themselves without end.
const MOST_WAITING = 20

/** Throws 409 `too_many_transfers` at the limit. Locks by name, because a new customer has no row yet that could be locked. */
export async function assertFewWaiting(tx: Tx, user_id: string): Promise<void> {
  await lockByName(tx, `transfers:${user_id}`)
  if ((await queries.countWaiting(tx, user_id)) >= MOST_WAITING)
    throw new HttpError(409, [{ code: 'too_many_transfers' }])
}

/** Mails the details of an announced transfer to the customer, who may have closed the page that shows them. */
export async function transferAnnounced(app: App, tx: Tx, topUp: TopUpRow): Promise<void> {
  await sendTransferMail(app, tx, topUp, templates.transferAnnounced)
  await publish(tx, topUp.user_id, { type: contract.BALANCE_CHANGED }, seeMoney)
}

/** Answers `GET /api/finances/top-ups/` with the customer's waiting transfers, newest first. */
export const listWaiting = handler(contract.listWaitingTransfers, async ({ app, actor, query }) => {
  const { limit, cursor } = query
  const [before] = placeIn(cursor, [placeKinds.number]) ?? []
  const rows = await queries.waitingOf(app.db, actor.user_id, { before, limit: limit + 1 })
  const body = pageFrom(
    rows,
    limit,
    ({ id }) => [String(id)],
    (row) => toTopUpReply(app, row),
  )
  return { status: 200, body }
})

/**
 * Answers `DELETE /api/finances/top-ups/{id}/`. The row's lock decides between a customer who cancels and a
 * member of staff who confirms: the second sees what the first did. Cancelling again changes nothing.
 */
export const cancel = handler(contract.cancelTransfer, async ({ app, actor, params }) => {
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const found = await queries.topUpOf(tx, actor.user_id, params.id)
    if (!found) throw notFound()
    const topUp = await queries.lockTopUp(tx, found.id)
    // The transfer for an order is cancelled with its order.
    if (topUp.provider !== 'bank' || topUp.for_checkout || !['pending', 'cancelled'].includes(topUp.status))
      throw new HttpError(409, [{ code: 'top_up_not_pending' }])
    if (topUp.status === 'pending') {
      await queries.setStatus(tx, topUp.id, 'cancelled')
      await publish(tx, topUp.user_id, { type: contract.BALANCE_CHANGED }, seeMoney)
    }
    return { status: 200, body: toTopUpReply(app, { ...topUp, status: 'cancelled' }) } as const
  })
})

/** Ends the wait for the payment of an order that its customer cancels, and locks it. Money that arrives all the same still counts. */
export async function cancelPayment(tx: Tx, id: bigint): Promise<void> {
  const topUp = await queries.lockTopUp(tx, id)
  if (topUp.status !== 'pending') return
  await queries.setStatus(tx, id, 'cancelled')
  await publish(tx, topUp.user_id, { type: contract.BALANCE_CHANGED }, seeMoney)
}

/**
 * Ends the wait for a transfer on behalf of staff, and mails the reason to the customer. Money that arrives all the same still counts.
 * Throws 404, and 409 `top_up_not_pending` if the transfer has arrived or ended meanwhile.
 */
export async function rejectTransfer(
  app: App,
  tx: Tx,
  { user_id, id, reason }: { user_id: string; id: string; reason: string },
): Promise<contract.TopUp> {
  const found = await queries.topUpOf(tx, user_id, id)
  if (!found) throw notFound()
  const topUp = await queries.lockTopUp(tx, found.id)
  if (topUp.provider !== 'bank' || topUp.status !== 'pending')
    throw new HttpError(409, [{ code: 'top_up_not_pending' }])
  await failPayment(app, tx, topUp)
  await sendTransferMail(app, tx, { ...topUp, reason }, templates.transferRejected)
  await publish(tx, user_id, { type: contract.BALANCE_CHANGED }, seeMoney)
  return toTopUpReply(app, { ...topUp, status: 'failed' })
}

const REMIND_DAYS = 7
// Longer than any bank takes.
const PENDING_DAYS = 30
const AT_ONCE = 200

/** Reminds customers once of transfers that did not arrive in a week, and ends transfers of a month ago with a notice. */
export async function processTransfers(app: App): Promise<void> {
  await processTransfer(app, (tx) => remindOld(tx, REMIND_DAYS, AT_ONCE), templates.transferMissing)
  await processTransfer(app, (tx) => expireOld(tx, PENDING_DAYS, AT_ONCE), templates.transferExpired)
}

/** Processes transfers in batches, each committed with its mails, so that an interrupted run continues where it stopped. */
async function processTransfer(
  app: App,
  take: (tx: Tx) => Promise<TopUpRow[]>,
  template: MailTemplate<templates.Values>,
): Promise<void> {
  let taken: number
  do {
    taken = await transaction(app, 'system', async (tx) => {
      const rows = await take(tx)
      for (const row of rows.filter(({ provider }) => provider === 'bank'))
        await sendTransferMail(app, tx, row, template)
      if (template === templates.transferExpired) for (const row of rows) recordTopUp(app, tx, row, 'expired')
      // Events for several people are published in a fixed order: else two transactions could wait for each other.
      for (const user_id of [...new Set(rows.map((row) => row.user_id))].toSorted())
        await publish(tx, user_id, { type: contract.BALANCE_CHANGED }, seeMoney)
      return rows.length
    })
  } while (taken === AT_ONCE)
}

async function sendTransferMail(
  app: App,
  tx: Tx,
  topUp: TopUpRow & { reason?: string },
  template: MailTemplate<templates.Values>,
): Promise<void> {
  const { reason, user_id, public_id, amount, currency, reference, created_at } = topUp
  await mailTo(app, tx, user_id, template, {
    id: public_id,
    amount: toMoney(amount, currency),
    reference: reference ?? '',
    account: app.config.bankAccount,
    created_at,
    ...(reason !== undefined && { reason }),
  })
}
