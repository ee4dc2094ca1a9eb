import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { methodReported } from '#features/finance/contract.ts'
import { takePaymentEvent } from '#features/finance/provider-calls.ts'
import { ingestEvent, setAside } from './payment-events.ts'
import type { AnyEvent } from './providers/provider.ts'
import { providerCalled } from './providers/providers.ts'
import { deliverTestEventsTo } from './providers/test-events.ts'

/**
 * Answers `POST /api/payments/{provider}/events/`. Events that are not ours are accepted too, and odd ones set aside, or they would
 * be sent again for days.
 */
export const receiveWebhook = handler(takePaymentEvent, async ({ app, params, request }) => {
  const told = await providerCalled(params.provider).readEvent?.(app, request)
  for (const event of told ? [told].flat() : []) await take(app, event)
  return { status: 200, body: { received: true } }
})

deliverTestEventsTo(take)

async function take(app: App, told: AnyEvent): Promise<void> {
  if ('isOdd' in told) return setAside(app, told)
  if (told.kind !== 'method_saved' && told.kind !== 'method_gone') return ingestEvent(app, told)
  await transaction(app, 'system', (tx) => emit(app, tx, methodReported, told))
}
