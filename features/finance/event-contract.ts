import * as z from 'zod/mini'
import { seeMoney } from '#foundation/capability.ts'
import { money } from '#foundation/money.ts'
import { published } from '#foundation/published.ts'
import { topUp, transaction } from './shapes.ts'

/** Account events of the balance. */

export const transactionCreated = published('transaction.created', {
  summary: 'The balance moved.',
  data: transaction,
  opens: seeMoney,
})
export const topUpSucceeded = published('top_up.succeeded', {
  summary: 'The money of a top-up is on the balance.',
  data: topUp,
  opens: seeMoney,
})
export const topUpFailed = published('top_up.failed', {
  summary: 'A payment failed, or a transfer was rejected or did not come within a month.',
  data: topUp,
  opens: seeMoney,
})
export const balanceLow = published('balance.low', {
  summary: 'The balance does not cover the next automatic renewal, as its reminder says, or fell below zero.',
  /** `needed` is the price of the renewal that is due next; null for a balance below zero. */
  data: z.strictObject({ balance: money, needed: z.nullable(money) }),
  opens: seeMoney,
})
