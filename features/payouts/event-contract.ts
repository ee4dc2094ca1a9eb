import { seeMoney } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { payout } from './shapes.ts'

/** Account events of payouts. */

export const payoutRequested = published('payout.requested', {
  summary: 'Money has left the balance, to be paid out.',
  data: payout,
  opens: seeMoney,
})
export const payoutSent = published('payout.sent', {
  summary: 'A payout was sent.',
  data: payout,
  opens: seeMoney,
})
export const payoutReturned = published('payout.returned', {
  summary: 'A payout failed or came back, and its money is on the balance again.',
  data: payout,
  opens: seeMoney,
})
