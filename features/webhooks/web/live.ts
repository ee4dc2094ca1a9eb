import { STAFF_WEBHOOKS_CHANGED, WEBHOOKS_CHANGED } from '#features/webhooks/contract.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { refreshWebhooks } from './calls.ts'

/** An endpoint was made, changed, disabled or deleted, here or elsewhere. */
export const live: readonly LiveReaction[] = [
  [WEBHOOKS_CHANGED, () => refreshWebhooks('own')],
  [STAFF_WEBHOOKS_CHANGED, () => refreshWebhooks('operator')],
]
