import { balanceOf, findTransaction } from '#features/finance/server/finance.ts'
import { isTrial, planAtEnd } from '#features/hosts/rules.ts'
import { announceHost, hostOf, hostReplyTo, lockHost, type HostRow } from '#features/hosts/server/hosts.ts'
import { requireBillingAddress } from '#features/invoices/server/invoices.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { badRequest, conflictWith } from '#foundation/server/http/http-error.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import * as contract from '#features/sales/contract.ts'
import { assertMayBuy, isSame } from './buy.ts'
import { type Passed, passGate, payerFor, payerOf } from './gate.ts'
import { planChange, writeLicenceToHost } from '#features/licences/server/licences.ts'
import { instructionFor } from '#features/licences/server/licences.ts'
import { forgetRenewalPlan } from '#features/licences/server/licences.ts'
import { previewEnd } from './renewal-plan.ts'
import { scheduleNextStep } from '#features/licences/server/licences.ts'
import { scheduleOf } from '#features/licences/server/licences.ts'
import type { ServerRow } from './sale.ts'
import { lockCredits, writeUpgrade } from './upgrade-orders.ts'
import { creditedBy, dueOf, planUpgrade, previewReply, type UpgradePlan } from './upgrade-plan.ts'

/** Answers `POST /api/hosts/{hostId}/licence/preview/`. */
export const previewUpgrade = handler(contract.previewUpgrade, async ({ app, actor, params, body }) => {
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  if (body.when === 'end') return { status: 200, body: await previewEnd(app, app.db, host, body.plan) }
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
    const { planned, payment } = await judgeUpgrade(app, tx, host, call.body)
    const { credits, charges } = await writeUpgrade(app, tx, host, planned, payment, call.body)
    await moveLicence(tx, host, planned)
    await announceHost(tx, host)
    await recordUpgrade(tx, host, planned, call.caller)
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

type Upgrading = Call<typeof contract.upgradeLicence>
type Wished = Upgrading['body']

/**
 * Throws all refusals of an upgrade: those of `planUpgrade`, 401, 403 `account_blocked`, 409
 * `price_changed` with the present preview, 400 `required`@begin_now, 409 `billing_address_required`, and those of `passGate`.
 */
async function judgeUpgrade(
  app: App,
  tx: Tx,
  host: HostRow,
  wished: Wished,
): Promise<{ planned: UpgradePlan; payment: Passed }> {
  const { user_id } = host
  const payer = await payerFor(tx, host, { automatic: false })
  const planned = await planUpgrade(app, tx, host, wished, payer)
  await assertMayBuy(tx, user_id)
  const pay_now = toMoney(planned.pay_now, app.config.currency)
  if (!isSame(wished.expected_total, pay_now)) {
    const balance = await balanceOf(app, tx, user_id)
    throw conflictWith({ code: 'price_changed' }, { preview: previewReply(app, planned, host, balance) })
  }
  if (!payer && instructionFor(app, planned.vat) !== undefined && wished.begin_now !== true)
    throw badRequest('required', 'begin_now')
  const due = dueOf(host, planned)
  await requireBillingAddress(app, tx, { user_id: due.buyer_id, total: due.total })
  const [payment] = await passGate(app, tx, [due], creditedBy(planned.exchanges))
  return { planned, payment: must(payment) }
}

/**
 * Writes an upgraded licence into its host. The end stays, except that of a trial, and a plan that was chosen for the end is forgotten. If
 * the plan at the end stays, too, the price that mails have announced still counts.
 */
export async function moveLicence(tx: Tx, host: ServerRow, { now }: UpgradePlan): Promise<void> {
  const { periods } = await hostOf(tx, host.user_id, host.public_id)
  const last = must(periods.at(-1))
  const ends_at = new Date(last.ends_at)
  const plan_changes_at = planChange(periods, now)
  const watch = await scheduleOf(tx, host.id)
  if (host.renewal) await forgetRenewalPlan(tx, host.id)
  if (watch?.ends_at.getTime() === ends_at.getTime() && last.plan === planAtEnd(host)?.plan)
    await scheduleNextStep(tx, { ...watch, plan_changes_at })
  else await writeLicenceToHost(tx, host, { ends_at, plan_changes_at, is_trial: isTrial(last), now })
}

export async function recordUpgrade(
  tx: Tx,
  { user_id, public_id, name }: ServerRow,
  { plan, exchanges, credit, charge: paid }: UpgradePlan,
  caller: Caller,
): Promise<void> {
  const detail = {
    host_id: public_id,
    host: name,
    plan: plan.slug,
    plans_before: exchanges.map(({ period }) => period.plan_name.en).join(', '),
    credit: credit.toString(),
    charge: paid.toString(),
  }
  await recordAction(tx, { user_id, act: 'licence.upgraded', ...originOf(caller), detail })
}
