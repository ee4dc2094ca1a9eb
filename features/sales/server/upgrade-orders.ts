import {
  claimAgain,
  forgetRenewalPlan,
  planChange,
  runtimeOf,
  scheduleNextStep,
  scheduleOf,
  type ValuedPeriod,
  valuedPeriods,
  writeLicenceToHost,
  writePeriods,
} from '#features/licences/server/licences.ts'
import { moveLateBalance } from '#features/finance/server/finance.ts'
import { bookRefund } from './book-refund.ts'
import { lockSales } from '#features/invoices/server/invoices.ts'
import { beginCredit } from '#features/payers/server/payers.ts'
import { isTrial, planAtEnd } from '#features/hosts/rules.ts'
import { hostOf } from '#features/hosts/server/hosts.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { keepRenewal } from './licence-end.ts'
import { writeSale, type Sale, type SoldLicence } from './sale.ts'
import { restOf, type UpgradePlan } from './upgrade-plan.ts'

type Host = SoldLicence['host']

/**
 * Locks the documents that an upgrade credits, so that nobody else can credit the payments for the servers' running time meanwhile. The
 * caller has locked the servers.
 */
export async function lockCredits(tx: Tx, host_ids: readonly bigint[]): Promise<void> {
  const sales = await atOnce(host_ids.map(async (id) => valuedPeriods(tx, id, (await runtimeOf(tx, id)).now)))
  await lockSales(
    tx,
    sales
      .flat()
      .flatMap(({ buyer_id: user_id, transaction_id }) =>
        transaction_id ? [{ user_id, transaction_id }] : [],
      ),
  )
}

/**
 * Credits the unused value of all periods and cuts them, then charges for the new plan, which the credits may pay. The rest of each period
 * gets its own order, so that it can be refunded or withdrawn from alone. Returns the ids of the transactions.
 */
export async function writeUpgrade(
  app: App,
  tx: Tx,
  host: Host,
  planned: UpgradePlan,
  payment: Sale['payment'],
  { order_reference }: { order_reference?: string | undefined },
): Promise<{ credits: string[]; charges: string[] }> {
  const credits = await creditAndCut(app, tx, host, planned)
  const { vat, instruction, now } = planned
  const charges: string[] = []
  for (const exchange of planned.exchanges) {
    const licences = [restOf(host, planned, exchange)]
    const sale = { licences, vat, payment, now, order_reference, instruction }
    charges.push(must(await writeSale(app, tx, sale)).transaction_id)
  }
  return { credits, charges }
}

/** Credits the unused value of each period to the account that paid for it, and cuts the period. Returns the ids of the credits. */
export async function creditAndCut(app: App, tx: Tx, host: Host, planned: UpgradePlan): Promise<string[]> {
  const { user_id, name } = host
  const credits: string[] = []
  for (const { period, part, credit: amount } of planned.exchanges) {
    if (amount === 0n) continue
    const description = { code: 'upgrade_credit', params: { host: name, plan: period.plan_name } } as const
    const transaction_id = must(period.transaction_id)
    const by = { user_id: period.buyer_id, transaction_id, part, amount }
    const credited = { ...by, reason: '', cause: 'upgrade', description } as const
    if (period.buyer_id !== user_id) await beginCredit(tx, transaction_id)
    credits.push((await bookRefund(app, tx, credited)).transaction_id)
    await moveOn(app, tx, period, { amount, spent: period.kept_id === (planned.payer?.payer_id ?? user_id) })
  }
  const cut = planned.exchanges.map(({ period, from }) => ({
    ...period,
    ends_at: from,
    ended: 'upgraded' as const,
  }))
  await writePeriods(tx, [...cut, ...planned.moved])
  if (cut.some(({ is_trial }) => is_trial)) await claimLonger(tx, host, planned)
  return credits
}

/** Moves the credit of an account that was merged on to the one that stays. Throws 402 where that one pays with it and a debt has swallowed it. */
async function moveOn(
  app: App,
  tx: Tx,
  { buyer_id: from, kept_id: to }: ValuedPeriod,
  { amount, spent }: { amount: bigint; spent: boolean },
): Promise<void> {
  if (from !== to && (await moveLateBalance(app, tx, { from, to }, { spent })) < amount && spent)
    throw new HttpError(402, [{ code: 'insufficient_balance' }])
}

/** Claims the addresses until the end of the time that is bought instead of a trial, which is later than the end of the trial. */
async function claimLonger(tx: Tx, host: Host, { now, exchanges, moved }: UpgradePlan): Promise<void> {
  const ends = [...exchanges.map(({ bought }) => bought), ...moved].map(({ ends_at }) => ends_at.getTime())
  await claimAgain(tx, host, now, new Date(Math.max(...ends)))
}

/**
 * Writes an upgraded licence into its host. The end stays, except that of a trial, and a plan that was chosen for the end is forgotten, but by a
 * helper with a limit. If the plan at the end stays, too, the price that mails have announced still counts.
 */
export async function moveLicence(app: App, tx: Tx, host: Host, { now }: UpgradePlan): Promise<void> {
  const { periods } = await hostOf(tx, host.user_id, host.public_id)
  const last = must(periods.at(-1))
  const ends_at = new Date(last.ends_at)
  const plan_changes_at = planChange(periods, now)
  const watch = await scheduleOf(tx, host.id)
  const isKept = await keepRenewal(app, tx, host, last)
  if (!isKept && host.renewal) await forgetRenewalPlan(tx, host.id)
  const isSamePlan = isKept || last.plan === planAtEnd(host)?.plan
  if (watch?.ends_at.getTime() === ends_at.getTime() && isSamePlan)
    await scheduleNextStep(tx, { ...watch, plan_changes_at })
  else await writeLicenceToHost(tx, host, { ends_at, plan_changes_at, is_trial: isTrial(last), now })
}

/** From where an upgrade was asked for; `by` is the customer of one that waited for its money. */
export type UpgradeOrigin = Partial<Origin> & { detail?: { by: string } }

export async function recordUpgrade(
  tx: Tx,
  { user_id, public_id, name }: Host,
  { plan, exchanges, credit, charge: paid }: UpgradePlan,
  { detail: more, ...origin }: UpgradeOrigin,
): Promise<void> {
  const detail = {
    ...more,
    host_id: public_id,
    host: name,
    plan: plan.slug,
    plans_before: exchanges.map(({ period }) => period.plan_name.en).join(', '),
    credit: credit.toString(),
    charge: paid.toString(),
  }
  await recordAction(tx, { user_id, act: 'licence.upgraded', ...origin, detail })
}
