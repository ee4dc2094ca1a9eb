import { must } from '#foundation/must.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { randomId, randomReference } from '#foundation/server/random-id.ts'
import {
  assertPayable,
  openAllocations,
  takeMoneyOut,
  type TopUpRow,
} from '#features/finance/server/finance.ts'
import { payoutRequested } from '#features/payouts/event-contract.ts'
import { MOST_UNDER_WAY } from '#features/payouts/rules.ts'
import { mailAbout } from './mail-about.ts'
import * as mails from './mails.ts'
import * as queries from './queries.ts'
import type { PayoutRow } from './queries.ts'
import { toPayoutReply } from './replies.ts'
import { refundKey, SEND_REFUND } from './send-refund-kind.ts'

type Wanted = {
  user_id: string
  amount: bigint
  /** The member of staff who asks for it; null for the customer and for the command line. */
  requested_by: string | null
  reason: string
}

/** Throws 409 `too_many_payouts` where the customer has as many under way as one may. Needs the balance locked. */
export async function assertFewUnderWay(tx: Tx, user_id: string): Promise<void> {
  if ((await queries.countUnderWay(tx, user_id)) >= MOST_UNDER_WAY)
    throw new HttpError(409, [{ code: 'too_many_payouts' }])
}

/**
 * Makes a payout to a bank account that is kept: its money leaves the balance in this transaction. Throws 409 `nothing_to_pay_out` for more
 * than may leave.
 */
export async function payToAccount(
  app: App,
  tx: Tx,
  { account_id, ...wanted }: Wanted & { account_id: string },
): Promise<PayoutRow> {
  const pieces = await assertPayable(app, tx, wanted.user_id, wanted.amount)
  const way = { way: 'bank', provider: 'bank', account_id, top_up_id: null } as const
  return create(app, tx, { ...wanted, ...way, pieces })
}

/**
 * Makes the payout of a payment to its source: its money leaves the balance in this transaction, and a job asks the provider. Needs the
 * top-up locked. Throws 409 `nothing_to_pay_out` for more than may leave, or than is left of this payment.
 */
export async function payToSource(
  app: App,
  tx: Tx,
  { topUp, ...wanted }: Wanted & { topUp: TopUpRow },
): Promise<PayoutRow> {
  await assertPayable(app, tx, wanted.user_id, wanted.amount)
  const pieces = await openAllocations(tx, topUp.id, 'fill_balance')
  if (pieces.reduce((sum, { left }) => sum + left, 0n) < wanted.amount)
    throw new HttpError(409, [{ code: 'nothing_to_pay_out' }])
  const way = { way: 'source', provider: topUp.provider, account_id: null, top_up_id: topUp.id } as const
  const row = await create(app, tx, { ...wanted, ...way, pieces })
  enqueue(tx, SEND_REFUND, { payout: row.public_id }, { key: refundKey(row.public_id) })
  return row
}

type New = Wanted &
  Pick<PayoutRow, 'way' | 'provider' | 'account_id' | 'top_up_id'> & {
    pieces: Parameters<typeof takeMoneyOut>[2]['pieces']
  }

async function create(app: App, tx: Tx, { pieces, ...wanted }: New): Promise<PayoutRow> {
  const { user_id, amount, provider, reason } = wanted
  const { currency } = app.config
  const description = { code: 'payout', params: { provider, ...(reason === '' ? {} : { reason }) } } as const
  const { booked, last } = await takeMoneyOut(app, tx, { user_id, amount, provider, description, pieces })
  const public_id = randomId()
  let id: bigint | undefined
  while (id === undefined)
    id = await queries.insertPayout(tx, { ...wanted, public_id, reference: randomReference('PO'), currency })
  await queries.insertBookings(tx, id, 'out', booked)
  const row = must(await queries.payoutWith(tx, public_id))
  record(tx, user_id, payoutRequested, toPayoutReply(row))
  await mailAbout(app, tx, row, mails.payoutRequested, last.balance_after)
  return row
}
