import { announceHost, lockHost, type HostRow } from '#features/hosts/server/hosts.ts'
import { bookArrival } from '#features/finance/server/finance.ts'
import type { CheckoutPurpose } from '#features/sales/rules.ts'
import { spendMoney } from '#foundation/capability.ts'
import type { Money } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { Acting } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { bulkNow } from './bulk.ts'
import { lockedServers, type Server } from './bulk-servers.ts'
import type { CheckoutParams } from './checkout-queries.ts'
import { buyRuntime, newHost } from './purchase.ts'
import { upgradeNow } from './upgrade.ts'
import { lockCredits, recordUpgrade } from './upgrade-orders.ts'

export type Ordered = {
  user_id: string
  params: CheckoutParams
  /** The public id of the server; null for a server that is still to be made. */
  host: string | null
  expected_total: Money
}

/**
 * The acts of a checkout, once its money has come: the very steps of the calls that order from the balance, with all that they refuse. Each
 * returns the server.
 */
export const checkoutActs: Record<
  CheckoutPurpose,
  (app: App, tx: Tx, ordered: Ordered) => Promise<Pick<HostRow, 'public_id'> | undefined>
> = {
  order: async (app, tx, ordered) => {
    const { name, ipv4 = null, ipv6 } = ordered.params
    const plan = must(ordered.params.plan)
    const host = await newHost(app, tx, { user_id: ordered.user_id, name, ipv4, ipv6, plan })
    return buy(app, tx, host, ordered)
  },
  renewal: async (app, tx, ordered) => {
    const host = await lockHost(tx, ordered.user_id, must(ordered.host))
    // Two checkouts for one server, or an order by hand meanwhile: the customer has seen, and paid, one more term from this end.
    if ((host.paid_until?.toISOString() ?? null) !== ordered.params.paid_until)
      throw new HttpError(409, [{ code: 'already_renewed' }])
    return buy(app, tx, host, ordered)
  },
  upgrade: async (app, tx, { user_id, host: public_id, params, expected_total }) => {
    const host = await lockHost(tx, user_id, must(public_id))
    await lockCredits(tx, [host.id])
    const { scope = 'all', as_of, order_reference, begin_now } = params
    const wished = { plan: must(params.plan), scope, as_of, order_reference, begin_now, expected_total }
    const { planned } = await upgradeNow(app, tx, host, { ...wished, isAtMost: true })
    await announceHost(tx, host)
    await recordUpgrade(tx, host, planned, app.acting ? {} : { detail: { by: user_id } })
    return host
  },
  bulk: async (app, tx, { user_id, params, expected_total }) => {
    const { plan, as_of, order_reference, begin_now, promo } = params
    const { act, host_ids, hosts, paid_until } = must(params.bulk)
    const servers = await lockedServers(app, tx, user_id, { host_ids, hosts, plan })
    const isRenewed = ({ host }: Server) =>
      (host.paid_until?.toISOString() ?? null) !== (paid_until?.[host.public_id] ?? null)
    if (act === 'renew' && servers.some(isRenewed)) throw new HttpError(409, [{ code: 'already_renewed' }])
    const origin = app.acting ? {} : { detail: { by: user_id } }
    const wished = { act, host_ids, hosts, plan, as_of, order_reference, begin_now, promo, expected_total }
    await bulkNow(app, tx, { user_id, servers, origin }, { ...wished, isAtMost: act === 'upgrade' })
    return undefined
  },
  top_up: async (_app, tx) => {
    await bookArrival(tx, 0n)
    return undefined
  },
}

async function buy(app: App, tx: Tx, host: HostRow, { params, expected_total }: Ordered): Promise<HostRow> {
  const { order_reference, begin_now, promo, extras } = params
  await buyRuntime(app, tx, host, {
    slug: must(params.plan),
    expected_total,
    order_reference,
    begin_now,
    promo,
    extras,
  })
  return host
}

/**
 * Returns the helper who began a checkout, as they may act now, with their grant held until the commit; undefined for the owner. Throws 404
 * and 403 if they may not order for the account any more. `host` is the server, where it is there already.
 */
export async function helperOf(
  app: App,
  tx: Tx,
  { user_id, person_id, host }: { user_id: string; person_id: string | null; host: string | null },
): Promise<Acting | undefined> {
  if (person_id === null) return undefined
  const person = await findUser(tx, person_id)
  const asking = { user_id: person_id, factors: person?.factors ?? [], holds_grants: true }
  const named = { account: user_id, params: host === null ? {} : { hostId: host } }
  const acting = await app.findActing?.(app, asking, spendMoney, named, tx)
  if (acting?.account.id !== user_id) throw notFound()
  await acting.hold(tx)
  return acting
}
