import { balanceOf, findTransaction } from '#features/finance/server/finance.ts'
import { announceHost, hostOf, hostReplyTo, lockHost, type HostRow } from '#features/hosts/server/hosts.ts'
import { requireParties } from '#features/invoices/server/invoices.ts'
import { amountOf, isSameMoney, toMoney, type Money } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, conflictWith } from '#foundation/server/http/http-error.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import * as contract from '#features/sales/contract.ts'
import { priceOf } from '#features/licences/rules.ts'
import { extrasOf, netOf } from '#features/licences/server/licences.ts'
import { PREVIEW_VALID_S } from '#features/sales/rules.ts'
import type { UpgradePreview } from '#features/sales/upgrade-preview.ts'
import { assertMayBuy, passGate, payerFor, payerOf, type Due } from './gate.ts'
import { previewEnd } from './renewal-plan.ts'
import { lockCredits, moveLicence, recordUpgrade, writeUpgrade } from './upgrade-orders.ts'
import {
  creditBy,
  creditedBy,
  creditTo,
  planUpgrade,
  type UpgradePlan,
  type UpgradeWish,
} from './upgrade-plan.ts'

/** Answers `POST /api/hosts/{hostId}/licence/preview/`. */
export const previewUpgrade = handler(contract.previewUpgrade, async ({ app, actor, params, body }) => {
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  if (body.when === 'end')
    return { status: 200, body: await previewEnd(app, app.db, host, body.plan, body.extras) }
  const planned = await planUpgrade(app, app.db, host, body, await payerOf(app.db, host.id))
  return { status: 200, body: previewReply(app, planned, host, await balanceOf(app, app.db, actor.user_id)) }
})

/**
 * Answers `POST /api/hosts/{hostId}/licence/upgrade/` (decision 112): each period is cut, its unused value credited on its invoice, and
 * the rest of its time bought as the new plan, all in one transaction. The order of the locks (rule 9) is that of a bulk: the host, the
 * invoices that are credited, the agreement, all balances, and the counter of the invoice numbers.
 */
export const upgradeLicence = handler(contract.upgradeLicence, async (call) => {
  const { app, actor, params } = call
  return withIdempotencyKey(contract.upgradeLicence, call, async (tx) => {
    const host = await lockHost(tx, actor.user_id, params.hostId)
    await lockCredits(tx, [host.id])
    const { planned, credits, charges } = await upgradeNow(app, tx, host, call.body)
    await announceHost(tx, host)
    await recordUpgrade(tx, host, planned, originOf(call.caller))
    // Transactions of another account are not shown: neither its payments nor its credits.
    const find = (id: string) => findTransaction(tx, host.user_id, id)
    const reply = hostReplyTo(app.acting)(await hostOf(tx, host.user_id, host.public_id))
    const body = {
      host: reply,
      credits: (await Promise.all(credits.map(find))).filter((one) => one !== undefined),
      charges: (await Promise.all(charges.map(find))).filter((one) => one !== undefined),
    }
    return { status: 201, body } as const
  })
})

/**
 * `expected_total` is what was shown to a person (rule 46). With `isAtMost` less may be due: an upgrade costs less the later it comes, and
 * money that comes from a bank comes days later.
 */
type Wished = UpgradeWish & {
  expected_total?: Money
  isAtMost?: boolean
  begin_now?: boolean | undefined
  order_reference?: string | undefined
}

/**
 * Upgrades a host whose row the caller has locked: refusals, gate, credits, charges, and the licence of the host. Throws the refusals of
 * `planUpgrade`, 401, 403 `account_blocked`, 409 `price_changed` with the present preview, 400 `required`@begin_now, 409
 * `billing_address_required`, and those of `passGate`, each with nothing written.
 */
export async function upgradeNow(app: App, tx: Tx, host: HostRow, wished: Wished) {
  const { user_id } = host
  const payer = await payerFor(tx, host, { automatic: false })
  const planned = await planUpgrade(app, tx, host, wished, payer)
  await assertMayBuy(tx, user_id)
  const { expected_total } = wished
  const due = toMoney(planned.pay_now, app.config.currency)
  const mayDiffer = wished.isAtMost === true && isLess(due, expected_total)
  if (expected_total && !isSameMoney(expected_total, due) && !mayDiffer) {
    const balance = await balanceOf(app, tx, user_id)
    throw conflictWith({ code: 'price_changed' }, { preview: previewReply(app, planned, host, balance) })
  }
  if (planned.instruction !== undefined && wished.begin_now !== true)
    throw badRequest('required', 'begin_now')
  const payable = dueOf(host, planned)
  await requireParties(app, tx, { user_id: payable.buyer_id, total: payable.total })
  const [payment] = await passGate(app, tx, [payable], creditedBy(planned.exchanges))
  const booked = await writeUpgrade(app, tx, host, planned, must(payment), wished)
  await moveLicence(app, tx, host, planned)
  return { planned, ...booked }
}

const isLess = (one: Money, other: Money | undefined): boolean =>
  one.currency === other?.currency && amountOf(one) < amountOf(other)

/** Returns what the payer of the new plan has to pay. */
const dueOf = ({ user_id }: Pick<HostRow, 'user_id'>, planned: UpgradePlan): Due => ({
  payer: planned.payer,
  buyer_id: planned.payer?.payer_id ?? user_id,
  total: planned.charge,
  pay_now: planned.pay_now,
  of_month: planned.charge - (planned.payer ? creditBy(planned.exchanges, planned.payer.agreement_id) : 0n),
})

/** `balance` is the owner's balance in minor units: nobody but a payer may know the payer's balance. */
function previewReply(
  app: App,
  planned: UpgradePlan,
  host: Pick<HostRow, 'user_id' | 'periods' | 'extras_at_end'>,
  balance: bigint,
): UpgradePreview {
  const { plan, vat, payer, as_of, exchanges, credit, charge, pay_now } = planned
  const money = (amount: bigint) => toMoney(amount, app.config.currency)
  const { user_id } = host
  const buyer_id = payer?.payer_id ?? user_id
  const extras = exchanges.flatMap((exchange) => exchange.extras)
  const { instruction: withdrawal_url } = planned
  return {
    plan: { slug: plan.slug, name: plan.name },
    as_of: as_of.toISOString(),
    valid_until: new Date(as_of.getTime() + PREVIEW_VALID_S * 1000).toISOString(),
    periods: exchanges.map(({ period, from, bought, credit: given, price }) => ({
      plan: period.plan_name,
      starts_at: from.toISOString(),
      ends_at: bought.ends_at.toISOString(),
      credit: money(given),
      credited_apart: given > 0n && period.kept_id !== buyer_id,
      net: money(price.net),
      vat: money(price.vat),
      price: money(price.total),
    })),
    ...(extras.length > 0 && {
      extras: extras.map(({ name, quantity, net }) => ({ name, quantity, net: money(net) })),
    }),
    credit: money(credit),
    charge: money(charge),
    credit_apart: money(credit - creditTo(exchanges, buyer_id)),
    pay_now: money(pay_now),
    renewal: money(priceOf(plan.renewal_net + netOf(extrasOf(plan, host, undefined)), vat.rate_bp).total),
    balance_after: money(balance + creditTo(exchanges, user_id) - (payer ? 0n : charge)),
    ...(withdrawal_url === undefined ? {} : { withdrawal_url }),
  }
}
