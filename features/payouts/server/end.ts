import { seeMoney } from '#foundation/capability.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { BALANCE_CHANGED } from '#features/finance/contract.ts'
import { bringMoneyBack, keepUnbooked, lockBalanceOf } from '#features/finance/server/finance.ts'
import * as events from '#features/payouts/event-contract.ts'
import { mailAbout } from './mail-about.ts'
import * as mails from './mails.ts'
import * as queries from './queries.ts'
import type { PayoutRow } from './queries.ts'
import { toPayoutReply } from './replies.ts'

export const ended = () => new HttpError(409, [{ code: 'payout_ended' }])

/** Ends a payout under way as sent. Needs its row locked. */
export async function sendPayout(app: App, tx: Tx, row: PayoutRow): Promise<PayoutRow> {
  await queries.endPayout(tx, row.id, { state: 'sent' })
  const sent = { ...row, state: 'sent', ended_at: new Date() } as const
  record(tx, row.user_id, events.payoutSent, toPayoutReply(sent))
  await mailAbout(app, tx, sent, mails.payoutSent)
  await publish(tx, row.user_id, { type: BALANCE_CHANGED }, seeMoney)
  return sent
}

/**
 * Ends a payout as failed, or as returned where it was sent before: its money is on the balance again, in this transaction, once. Needs its
 * row locked. Money of an account that is gone is on the list of staff (rule 61).
 */
export async function bringBack(app: App, tx: Tx, row: PayoutRow, failure: string): Promise<PayoutRow> {
  const { id, user_id, provider, amount, currency } = row
  const state: PayoutRow['state'] & ('failed' | 'returned') =
    row.state === 'requested' ? 'failed' : 'returned'
  const pieces = await queries.takenBy(tx, id)
  await lockBalanceOf(app, tx, user_id)
  const params = { provider, ...(failure === '' ? {} : { reason: failure }) }
  const description = { code: 'payout_returned', params } as const
  const { booked, last } = await bringMoneyBack(app, tx, { user_id, provider, description, pieces })
  await queries.insertBookings(tx, id, 'back', booked)
  await queries.endPayout(tx, id, { state, failure })
  const back = { ...row, state, failure, ended_at: new Date() }
  record(tx, user_id, events.payoutReturned, toPayoutReply(back))
  await mailAbout(app, tx, back, mails.payoutReturned, last.balance_after)
  if (!(await findUser(tx, user_id))?.is_active) {
    const event = { provider, event_id: `payout:${row.public_id}`, kind: 'paid', amount, currency } as const
    await keepUnbooked(
      tx,
      { ...event, payment_reference: row.reference, reason: failure },
      'account_closed',
      { user_id },
    )
  }
  return back
}
