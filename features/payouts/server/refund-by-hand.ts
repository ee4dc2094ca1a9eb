import { on } from '#foundation/server/events.ts'
import { refundedByHand } from '#features/finance/contract.ts'
import { noteUnderWay, openAllocations, takeRefund } from '#features/finance/server/finance.ts'
import { bringBack, sendPayout } from './end.ts'
import * as queries from './queries.ts'

/**
 * A refund that a colleague made on the provider's own page while the same one was under way here ends the one of here: its money has left the
 * balance, and the provider gives a payment back once. It is the same where it is the only one of the payment that is under way, of the same
 * amount, and of more than is left of the payment: then both of them cannot have gone out. Any other is booked as always; what lacks is
 * on the list of staff, with the reason. If it comes back later, so does the money.
 */
export const settleByHand = on(refundedByHand, async (app, tx, told) => {
  const { top_up_id, taken_by, isBack, amount, currency } = told
  const known = await queries.lockRefundsOf(tx, top_up_id, taken_by)
  const same = known.find(({ provider_reference }) => provider_reference === taken_by)
  if (same) {
    if (isBack && same.state === 'sent') await bringBack(app, tx, same, told.reason)
    return takeRefund(tx, told)
  }
  const [row, ...others] = known
  if (!row || isBack) return
  const pieces = await openAllocations(tx, top_up_id, 'fill_balance')
  const left = pieces.reduce((sum, piece) => sum + piece.left, 0n)
  const isOurs = row.amount === amount && row.currency === currency && row.provider_reference === null
  if (!isOurs || others.length > 0 || left >= amount) return noteUnderWay(tx, told)
  await queries.setProviderReference(tx, row.id, taken_by)
  await sendPayout(app, tx, row)
  return takeRefund(tx, told)
})
