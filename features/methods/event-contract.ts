import { seeMoney } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { paymentMethod } from './shapes.ts'

/** Account events of saved payment methods. */

export const methodAdded = published('payment_method.added', {
  summary: 'A payment method was saved at its provider, and can be charged.',
  data: paymentMethod,
  opens: seeMoney,
})
export const methodPaused = published('payment_method.paused', {
  summary:
    'A payment method is not charged any more: after a dispute, a decline for good, or since its provider has ended it.',
  data: paymentMethod,
  opens: seeMoney,
})
export const methodRemoved = published('payment_method.removed', {
  summary: 'A payment method was removed.',
  data: paymentMethod,
  opens: seeMoney,
})
