import { balanceOf } from '#features/finance/server/finance.ts'
import { autoRenewChanged } from '#features/hosts/contract.ts'
import { planAtEnd } from '#features/hosts/rules.ts'
import {
  announceHost,
  hostOf,
  hostReplyTo,
  lockHost,
  setAutoRenew,
  type HostRow,
} from '#features/hosts/server/hosts.ts'
import { vatFor, vatOver } from '#features/invoices/server/invoices.ts'
import { isSameMoney, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, conflictWith, HttpError } from '#foundation/server/http/http-error.ts'
import * as sales from '#features/sales/contract.ts'
import type { ChosenExtras } from '#features/licences/contract.ts'
import { nextCharge, priceOf } from '#features/licences/rules.ts'
import { PREVIEW_VALID_S } from '#features/sales/rules.ts'
import type { UpgradePreview } from '#features/sales/upgrade-preview.ts'
import {
  asKept,
  askToRenewNow,
  extrasOf,
  findPlan,
  forgetRenewalPlan,
  heldBy,
  lowered,
  netOf,
  type PlanRow,
  putChosenExtras,
  putRenewalPlan,
  renewalNetAt,
  scheduleNextStep,
  scheduleOf,
  schedulesOf,
} from '#features/licences/server/licences.ts'
import type { ServerRow } from './gate.ts'

/**
 * Answers `PUT /api/hosts/{hostId}/licence/renewal/` (decision 031). A choice of the plan that the licence ends with takes an earlier
 * choice back. Nothing is charged: the renewal judges plan, price and balance at its own time.
 */
export const chooseRenewalPlan = handler(
  sales.chooseRenewalPlan,
  async ({ app, actor: { user_id }, params, body, caller }) => {
    if (app.acting?.isLimited) throw new HttpError(403, [{ code: 'not_allowed_for_role' }])
    return transaction(app, { userId: user_id }, async (tx) => {
      const host = await lockHost(tx, user_id, params.hostId)
      const { plan, net, total, extras } = await judgeRenewalPlan(app, tx, host, body.plan, body.extras)
      if (!isSameMoney(body.expected_total, toMoney(total, app.config.currency)))
        throw conflictWith(
          { code: 'price_changed' },
          { preview: await previewEnd(app, tx, host, body.plan, body.extras) },
        )
      // Another tab has chosen a plan that this page did not show (rule 45).
      if (body.from !== planAtEnd(host)?.plan)
        throw conflictWith({ code: 'changed' }, { present: hostReplyTo(app.acting)(host) })
      await writeRenewalPlan(app, tx, host, { plan, net, auto_renew: body.auto_renew ?? host.auto_renew })
      if (body.extras) await putChosenExtras(tx, { host_id: host.id, user_id, extras: extras.map(asKept) })
      const { public_id, name } = host
      const detail = { host_id: public_id, host: name, plan: plan.slug, plan_before: body.from }
      await recordAction(tx, { user_id, act: 'licence.renewal_plan_chosen', ...originOf(caller), detail })
      await announceHost(tx, host)
      return {
        status: 200,
        body: hostReplyTo(app.acting)(await hostOf(tx, user_id, public_id)),
      } as const
    })
  },
)

/** Writes the plan for the end; returns true if it differs from the one before. A choice of the last period's plan is forgotten. */
export async function writeRenewalPlan(
  app: App,
  tx: Tx,
  host: ServerRow,
  { plan, net, auto_renew }: { plan: PlanRow; net: bigint; auto_renew: boolean },
): Promise<boolean> {
  const { id, user_id, public_id } = host
  const isOther = plan.slug !== planAtEnd(host)?.plan
  if (plan.slug === host.periods.at(-1)?.plan) await forgetRenewalPlan(tx, id)
  else await putRenewalPlan(tx, { host_id: id, user_id, plan: plan.slug })
  const watch = isOther ? await scheduleOf(tx, id) : undefined
  // The mails named the price of another plan; the price that was shown for this plan replaces it.
  if (watch && watch.announced_net !== null) await scheduleNextStep(tx, { ...watch, announced_net: net })
  if (auto_renew !== host.auto_renew) {
    await setAutoRenew(tx, host, auto_renew)
    await emit(app, tx, autoRenewChanged, { user_id, id, host_id: public_id, auto_renew })
  } else if (auto_renew && watch && watch.refusal !== null) {
    // The balance may cover this plan if it did not cover the one before.
    askToRenewNow(tx, id)
  }
  return isOther
}

/**
 * The price of a plan when a licence renews with it and with these add-ons, or those that it has. Throws 400 `unknown_plan`@plan, `unknown_extra`,
 * `quantity_too_large` or `invalid`@extras, 409 `licence_not_running`.
 */
export async function judgeRenewalPlan(
  app: App,
  db: App['db'],
  host: ServerRow,
  slug: string,
  wanted?: ChosenExtras,
) {
  const plan = await findPlan(db, slug, host)
  const { paid_until, now } = host
  if (paid_until === null || paid_until <= now) throw new HttpError(409, [{ code: 'licence_not_running' }])
  const vat = await vatFor(app, db, host.user_id)
  const [watch] = plan.slug === planAtEnd(host)?.plan ? await schedulesOf(db, [host.id]) : []
  const { list, net } = lowered(
    renewalNetAt(plan, nextCharge(paid_until, now) ?? now, watch?.announced_net),
    plan,
    heldBy(host),
  )
  // The price without a promo code is what is announced.
  const extras = extrasOf(plan, host, wanted)
  if (extras.some(({ kind }) => kind !== 'addon')) throw badRequest('invalid', 'extras')
  const whole = net + netOf(extras)
  return { plan, extras, net: list, total: priceOf(whole, vatOver(vat, whole).rate_bp).total, now }
}

/** The preview of a plan for the end of the paid time: nothing is due now. */
export async function previewEnd(
  app: App,
  db: App['db'],
  host: HostRow,
  slug: string,
  wanted?: ChosenExtras,
): Promise<UpgradePreview> {
  const { plan, total, now } = await judgeRenewalPlan(app, db, host, slug, wanted)
  const money = (amount: bigint) => toMoney(amount, app.config.currency)
  return {
    plan: { slug: plan.slug, name: plan.name },
    as_of: now.toISOString(),
    valid_until: new Date(now.getTime() + PREVIEW_VALID_S * 1000).toISOString(),
    periods: [],
    credit: money(0n),
    charge: money(0n),
    credit_apart: money(0n),
    pay_now: money(0n),
    renewal: money(total),
    balance_after: money(await balanceOf(app, db, host.user_id)),
  }
}
