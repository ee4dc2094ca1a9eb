import { handler } from '#foundation/server/http/handler.ts'
import { takePaymentEvent } from '#features/finance/provider-calls.ts'
import { ingestEvent, setAside } from './payment-events.ts'
import { providerCalled } from './providers/providers.ts'

/**
 * Answers `POST /api/payments/{provider}/events/`. Events that are not ours are accepted too, and odd ones set aside, or they would
 * be sent again for days.
 */
export const receiveWebhook = handler(takePaymentEvent, async ({ app, params, request }) => {
  const told = await providerCalled(params.provider).readEvent?.(app, request)
  for (const event of told ? [told].flat() : [])
    await ('isOdd' in event ? setAside(app, event) : ingestEvent(app, event))
  return { status: 200, body: { received: true } }
})
