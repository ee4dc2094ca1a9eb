import { findTransaction } from '#features/finance/server/finance.ts'
import * as hosts from '#features/hosts/server/hosts.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { issuedReply } from '#features/invoices/server/invoices.ts'
import { accept } from '#features/legal/server/legal.ts'
import { countingTries } from '#features/licences/server/licences.ts'
import * as contract from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { buyRuntime, newHost } from './purchase.ts'
import { beginTrial } from './trial.ts'

export { bookRefund } from './book-refund.ts'
export { refundForOperator } from './refund.ts'
export { upgradeNow } from './upgrade.ts'
export { judgeMove, planMove, takeMoveBack } from './plan-moves.ts'
export { beginTrial, buyRuntime }
export { beginCheckout } from './checkouts.ts'
export { addBoughtCheckout, boughtCheckout, tryBought } from './bought-checkout.ts'

type Ordering = Pick<Call<typeof contract.orderLicence>, 'app' | 'actor' | 'caller'> & {
  body: Omit<Call<typeof contract.orderLicence>['body'], 'terms'> & { terms?: string | undefined }
}
type Answered = { status: 201; body: contract.Ordered } | { status: 200; body: contract.OrderedHost }

/** Answers `POST /api/hosts/order/`: makes a host and orders its licence, both or neither (rows H-02, H-03). */
export const orderHost = handler(contract.orderHost, async (call) =>
  countingTries(call.app, call.actor.user_id, call.body.promo, () =>
    withIdempotencyKey(contract.orderHost, call, (tx) =>
      order(tx, call, () => {
        const { name, ipv4, ipv6, plan } = call.body
        return newHost(call.app, tx, { user_id: call.actor.user_id, name, ipv4, ipv6, plan })
      }),
    ),
  ),
)

/** Answers `POST /api/hosts/{hostId}/licence/`: orders a licence for an existing host, or another term of its licence. */
export const orderLicence = handler(contract.orderLicence, async (call) =>
  countingTries(call.app, call.actor.user_id, call.body.promo, () =>
    withIdempotencyKey(contract.orderLicence, call, (tx) =>
      order(tx, call, () => hosts.lockHost(tx, call.actor.user_id, call.params.hostId)),
    ),
  ),
)

/** An order that another account has paid is answered without its documents; a trial and a free order have none. */
async function order(tx: Tx, call: Ordering, locked: () => Promise<HostRow>): Promise<Answered> {
  const { app, actor, caller, body } = call
  const { user_id } = actor
  // The owner accepts the terms, and never a helper.
  const version = app.acting ? undefined : body.terms
  await accept(app, tx, { user_id, caller, version, context: 'order' })
  const host = await locked()
  const { plan: slug, trial, ...wish } = body
  if (trial && wish.promo !== undefined) throw badRequest('invalid', 'promo')
  if (trial && wish.extras !== undefined) throw badRequest('invalid', 'extras')
  if (trial) await beginTrial(app, tx, host, { ...wish, slug, origin: originOf(caller) })
  const sold = trial ? undefined : await buyRuntime(app, tx, host, { ...wish, slug })
  const reply = hosts.hostReplyTo(app.acting)(await hosts.hostOf(tx, user_id, host.public_id))
  if (!sold) return { status: 200, body: { host: reply } }
  const { transaction_id, invoice, payer } = sold
  const transaction = payer ? undefined : must(await findTransaction(tx, user_id, transaction_id))
  // The invoice is issued last, as every other purchase waits for the counter of the numbers.
  const issued = await invoice.issue()
  if (!transaction) return { status: 200, body: { host: reply } }
  return { status: 201, body: { host: reply, invoice: issuedReply(app, issued), transaction } }
}
