import { seeMoney } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { autoTopUpRun } from './shapes.ts'

/** Account events of the automatic top-up. Money that it charges is told by the events of top-ups. */

export const chargeDeclined = published('auto_top_up.declined', {
  summary: 'A charge of the automatic top-up was declined.',
  data: autoTopUpRun,
  opens: seeMoney,
})
export const authenticationRequired = published('auto_top_up.authentication_required', {
  summary: "A charge of the automatic top-up waits until its customer allows it on the provider's page.",
  data: autoTopUpRun,
  opens: seeMoney,
})
