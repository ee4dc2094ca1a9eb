import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, enqueue, job } from '#foundation/server/jobs/jobs.ts'
import { must } from '#foundation/must.ts'
import { refundReported } from '#features/finance/contract.ts'
import {
  keepUnbooked,
  providerCalled,
  topUpWithId,
  type RefundAnswer,
} from '#features/finance/server/finance.ts'
import { bringBack, sendPayout } from './end.ts'
import * as queries from './queries.ts'
import { refundKey, SEND_REFUND } from './send-refund-kind.ts'

/**
 * Asks the provider to give a payment back. The row stands before, with its money off the balance, and the provider is asked outside of any
 * transaction, by the payout's id as its idempotency key: killed anywhere, the job runs again and the provider answers with the same refund.
 * A provider that does not answer throws, and the job is tried again.
 */
export const sendRefund = job<{ payout: string }>(SEND_REFUND, async (app, { payout }) => {
  const row = await queries.payoutWith(app.db, payout)
  if (row?.state !== 'requested' || row.top_up_id === null) return
  const topUp = must(await topUpWithId(app.db, row.top_up_id))
  const isAgain = row.asked_at !== null
  if (!isAgain) await transaction(app, 'system', (tx) => queries.setRequestedAt(tx, row.id))
  const refund = must(providerCalled(row.provider).refund)
  const { amount, provider_reference: reference } = row
  const answer = await refund(app, topUp, { payout, amount, isAgain, reference })
  await settleAnswer(app, payout, answer)
})

/**
 * Asks the providers once a day what became of refunds that they have taken and not ended: an event may be lost, and of some ends, such as a
 * refund that was cancelled on the provider's page, none tells. A few attempts are made each time, so that one which fails is on the list of
 * failed work until the next day.
 */
export const checkRefunds = cronJob(jobKind('check_refunds', 'money'), 3600, (app) =>
  transaction(app, 'system', async (tx) => {
    for (const payout of await queries.refundsToCheck(tx, MOST_AT_ONCE))
      enqueue(tx, SEND_REFUND, { payout }, { key: refundKey(payout), max_attempts: ATTEMPTS })
  }),
)

const MOST_AT_ONCE = 500
const ATTEMPTS = 8

/** A provider's own answer ends the payout only where it is definite; otherwise its signed event does. */
async function settleAnswer(app: App, payout: string, answer: RefundAnswer): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const row = await queries.lockPayout(tx, payout)
    if (row?.state !== 'requested') return
    if (answer.reference !== null) await queries.setProviderReference(tx, row.id, answer.reference)
    if (answer.state === 'sent') await sendPayout(app, tx, row)
    if (answer.state === 'refused') await bringBack(app, tx, row, answer.reason)
  })
}

/**
 * An event of the provider about a refund that we asked for. Money that has come back stays so: events may come out of order, and no refund goes
 * out after it failed. One that names no payout of this payment, or another amount, is on the list of staff.
 */
export const settleRefundEvent = on(refundReported, async (app, tx, { payout, kind, top_up_id, ...told }) => {
  const row = await queries.lockPayout(tx, payout)
  const isOurs = row !== undefined && row.provider === told.provider && row.top_up_id === top_up_id
  if (!isOurs || row.amount !== told.amount || row.currency !== told.currency) {
    const event = { ...told, kind: kind === 'sent' ? 'charged_back' : 'reinstated' } as const
    return keepUnbooked(tx, event, 'unknown_payment', { user_id: row?.user_id ?? null })
  }
  if (row.state === 'failed' || row.state === 'returned') return
  // Another refund, made on the provider's page, has ended it: this one would be a second one.
  const isAnother =
    told.taken_by !== null && row.provider_reference !== null && told.taken_by !== row.provider_reference
  if (isAnother)
    return kind === 'sent'
      ? keepUnbooked(tx, { ...told, kind: 'charged_back' }, 'refund_under_way', { user_id: row.user_id })
      : undefined
  if (told.taken_by !== null) await queries.setProviderReference(tx, row.id, told.taken_by)
  if (kind === 'failed') await bringBack(app, tx, row, told.reason)
  else if (row.state === 'requested') await sendPayout(app, tx, row)
})
