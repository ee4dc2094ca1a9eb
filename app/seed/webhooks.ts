import { hostUpdated } from '#features/hosts/event-contract.ts'
import { recordHost } from '#features/hosts/server/record-events.ts'
import { hasReceiver, receiverUrl } from '#features/webhooks/server/demo-receiver.ts'
import { deliverDue, deliveriesEnded } from '#features/webhooks/server/deliver.ts'
import { changeEndpoint, makeEndpoint, type By } from '#features/webhooks/server/endpoints.ts'
import { sendTest } from '#features/webhooks/server/send-now.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { App } from '#foundation/server/app.ts'
import { backdateWebhooks, firstHostsOf } from './webhook-queries.ts'

const origin = { ip: '127.0.0.1', user_agent: 'demo', request_id: 'demo' }
const byOwner = (owner: string | null): By => ({ owner, person: owner ?? 'demo', origin })

/**
 * Makes webhooks of a demo customer and of the operator, and lets the product itself deliver some events to the receiver that comes along
 * with the demo: one webhook works, one is paused after its program failed.
 */
export async function seedWebhooks(app: App, user_id: string): Promise<void> {
  if (!hasReceiver(app)) return
  const make = (owner: string | null, name: string, description: string) =>
    makeEndpoint(app, byOwner(owner), { url: receiverUrl(app, name), description, types: [], host_ids: [] })
  const works = await make(user_id, 'stock', 'Stock system')
  const fails = await make(user_id, 'broken', 'Old script')
  await make(null, 'bookkeeping', 'Bookkeeping')
  await sendTest(app, user_id, works.id)
  await transaction(app, 'system', async (tx) => {
    for (const host of await firstHostsOf(tx, user_id)) recordHost(tx, hostUpdated, host)
  })
  await deliverDue(app)
  await deliveriesEnded(app)
  const { version } = fails
  await changeEndpoint(app, byOwner(user_id), fails.id, { state: 'paused', version })
  await transaction(app, 'system', backdateWebhooks)
}
