import { findTransaction } from '#features/finance/server/finance.ts'
import {
  assertMayAdd,
  createHost,
  hostOf,
  hostReplyTo,
  lockHost,
  type HostRow,
} from '#features/hosts/server/hosts.ts'
import { issuedReply } from '#features/invoices/server/invoices.ts'
import { accept } from '#features/legal/server/legal.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import * as contract from '#features/sales/contract.ts'
import { buyRuntime } from './buy.ts'
import { beginTrial } from './trial.ts'

export { buyRuntime } from './buy.ts'
export { beginTrial } from './trial.ts'
export { moveLicence } from './upgrade.ts'
export { passGate } from './gate.ts'
export { writeUpgrade } from './upgrade-orders.ts'
export { dueOf, planUpgrade } from './upgrade-plan.ts'
export { bookRefund } from './book-refund.ts'
export { refundForOperator } from './refund.ts'

/** Answers `POST /api/hosts/order/`: makes a host and orders its licence, both or neither (rows H-02, H-03). */
export const orderHost = handler(contract.orderHost, async (call) => {
  const { app, actor, body } = call
  return withIdempotencyKey(contract.orderHost, call, async (tx) => {
    await acceptWithOrder(tx, call)
    assertMayAdd(app)
    const { name, ipv4, ipv6 } = body
    const host = await createHost(tx, { user_id: actor.user_id, name, ipv4, ipv6 })
    await app.acting?.note(tx, 'host_added', { host_id: host.public_id })
    return order(app, tx, host, body, call.caller)
  })
})

/** Answers `POST /api/hosts/{hostId}/licence/`: orders a licence for an existing host, or another term of its licence. */
export const orderLicence = handler(contract.orderLicence, async (call) => {
  const { app, actor, params, body } = call
  return withIdempotencyKey(contract.orderLicence, call, async (tx) => {
    await acceptWithOrder(tx, call)
    const host = await lockHost(tx, actor.user_id, params.hostId)
    return order(app, tx, host, body, call.caller)
  })
})

type Wished = Call<typeof contract.orderLicence>['body']

const acceptWithOrder = (tx: Tx, { app, actor, caller, body }: Ordering) =>
  // The owner accepts the terms, and never a helper.
  accept(app, tx, {
    user_id: actor.user_id,
    caller,
    version: app.acting ? undefined : body.terms,
    context: 'order',
  })

type Ordering = Pick<Call<typeof contract.orderLicence>, 'app' | 'actor' | 'caller'> & {
  body: Pick<Wished, 'terms'>
}

type Answered = { status: 201; body: contract.Ordered } | { status: 200; body: contract.OrderedHost }

/** An order that another account has paid is answered without its documents; a trial has none. */
async function order(
  app: App,
  tx: Tx,
  host: HostRow,
  { plan: slug, expected_total, order_reference, begin_now, trial }: Wished,
  caller: Caller,
): Promise<Answered> {
  const { user_id, public_id } = host
  if (trial) {
    await beginTrial(app, tx, host, { slug, expected_total, origin: originOf(caller) })
    return { status: 200, body: { host: hostReplyTo(app.acting)(await hostOf(tx, user_id, public_id)) } }
  }
  const { transaction_id, invoice, payer } = await buyRuntime(app, tx, host, {
    slug,
    expected_total,
    order_reference,
    begin_now,
  })
  if (payer) {
    const reply = hostReplyTo(app.acting)(await hostOf(tx, user_id, public_id))
    await invoice.issue()
    return { status: 200, body: { host: reply } }
  }
  const transaction = await findTransaction(tx, user_id, transaction_id)
  if (!transaction) throw new Error('what was ordered is not there')
  const reply = hostReplyTo(app.acting)(await hostOf(tx, user_id, public_id))
  // The invoice is issued last, as every other purchase waits for the counter of the numbers.
  return { status: 201, body: { host: reply, invoice: issuedReply(app, await invoice.issue()), transaction } }
}
