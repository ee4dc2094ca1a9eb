import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import type { MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { plannedCharge, type PlannedCharge } from '#features/auto-top-ups/server/auto-top-ups.ts'
import { balanceOf, recordLowBalance } from '#features/finance/server/finance.ts'
import { licenceAt, planAtEnd } from '#features/hosts/rules.ts'
import {
  announceHost,
  lockHostById,
  reading,
  recordHost,
  type HostRow,
} from '#features/hosts/server/hosts.ts'
import { payersOf } from '#features/payers/server/payers.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { firstTry, lastTry, nextCharge, stepAt, type Step } from '#features/licences/rules.ts'
import {
  renewalPrices,
  runtimeOf,
  scheduleOf,
  stepsDue,
  type RenewalSchedule,
} from '#features/licences/server/licences.ts'
import { renewalRefused } from '#features/sales/contract.ts'
import * as events from '#features/sales/event-contract.ts'
import { upcomingCharges } from './charges.ts'
import * as templates from './mails.ts'

/** The state of a host's licence at this moment, by the database's clock; its row is locked. */
export type RenewalState = {
  host: HostRow
  watch: RenewalSchedule
  now: Date
  due: Step[]
  /** Another plan that was paid for has begun, and no mail has announced it yet. */
  hasOtherPlan: boolean
}

/** Locks the host and reads its state; undefined for a host that is deleted or was never paid. */
export async function loadRenewalState(tx: Tx, host_id: bigint): Promise<RenewalState | undefined> {
  const host = await lockHostById(tx, host_id)
  const watch = host && (await scheduleOf(tx, host_id))
  if (!watch) return undefined
  const { now } = await runtimeOf(tx, host_id)
  const hasOtherPlan = watch.plan_changes_at !== null && watch.plan_changes_at <= now
  return { host, watch, now, due: stepsDue(watch, now), hasOtherPlan }
}

/**
 * Queues the mail of the steps that are due, one at most, and publishes an end, a refusal or another plan to open pages. Returns the price
 * before VAT and promo code that was announced for this end, the most from which its renewal is charged (rule 46).
 */
export async function mailLicenceNotice(
  app: App,
  tx: Tx,
  standing: RenewalState,
  refusal?: string,
): Promise<bigint | null> {
  const { host, watch, due, hasOtherPlan, now } = standing
  const hasEnded = due.some(({ does }) => does === 'end')
  if (refusal !== undefined || hasEnded || hasOtherPlan) await announceHost(tx, host)
  const template = templateFor(standing, refusal)
  if (refusal !== undefined) {
    const { user_id, public_id: host_id, name: host_name } = host
    await emit(app, tx, renewalRefused, { user_id, host_id, host_name })
  }
  recordNotice(tx, standing, {
    refusal,
    isEnding: template === templates.licenceEndsSoon || template === templates.trialEndsSoon,
  })
  const user = await findUser(tx, host.user_id)
  if (!template || !user?.is_active) return watch.announced_net
  const [payer] = await payersOf(tx, [host.id])
  const buyer_id = payer?.payer_id ?? host.user_id
  const names = await displayNames(app, tx, [host.user_id, buyer_id])
  const [price] = await renewalPrices(app, tx, buyer_id, [
    { ...host, announced_net: watch.announced_net, at: nextCharge(watch.ends_at, now) ?? now },
  ])
  const values: templates.Values = {
    host: host.name,
    host_id: host.public_id,
    plan: licenceAt(host.periods, watch.ends_at)?.plan_name[user.locale] ?? '',
    ...nextPlanIn(host, user.locale),
    ends_at: watch.ends_at,
    charge_at: stepAt(watch.ends_at, firstTry),
    total: price?.total ?? 0n,
    balance: await balanceOf(app, tx, buyer_id),
    currency: app.config.currency,
    refusal: refusal ?? watch.refusal,
    is_trial: watch.is_trial,
    ...(payer && { payer: names.of(buyer_id).name }),
  }
  if (template === templates.licenceRenewsSoon && !payer)
    values.charged = await chargedFor(app, tx, buyer_id, values, now)
  if (template === templates.licenceRenewsSoon && values.balance < values.total && !values.charged)
    recordLowBalance(app, tx, { user_id: buyer_id, balance: values.balance, needed: values.total })
  await mailTo(app, tx, host.user_id, template, values)
  if (payer && template === templates.renewalFailed)
    await mailPayer(app, tx, buyer_id, { ...values, owner: names.of(host.user_id).name })
  return template === templates.licenceRenewsSoon ? (price?.list ?? null) : watch.announced_net
}

/** Returns what will be charged for a renewal if the balance does not cover it together with all that is due by then. */
async function chargedFor(
  app: App,
  tx: Tx,
  user_id: string,
  { host_id, charge_at: due_at, total, balance }: templates.Values,
  now: Date,
): Promise<PlannedCharge | undefined> {
  const planned = await plannedCharge(tx, { user_id, due_at, now })
  if (!planned || balance < total) return planned
  const others = (await upcomingCharges(app, tx, user_id)).filter(
    (other) => other.host_id !== host_id && other.due_at <= due_at,
  )
  return balance < others.reduce((sum, other) => sum + other.total, total) ? planned : undefined
}

/** Records that a renewal was refused, that the licence has ended, or that it is about to end. */
function recordNotice(
  tx: Tx,
  { host, due }: RenewalState,
  { refusal, isEnding }: { refusal: string | undefined; isEnding: boolean },
): void {
  if (refusal !== undefined) {
    const read = reading(tx, host)
    const failed = async () => {
      const seen = await read()
      return seen && { host: seen, refusal }
    }
    record(tx, host.user_id, events.renewalFailed, failed, { host: host.public_id })
  }
  if (due.some(({ does }) => does === 'end')) recordHost(tx, events.licenceExpired, host)
  else if (isEnding) recordHost(tx, events.licenceExpiring, host)
}

/** Mails the payer along with the owner that a renewal failed, if the balance or the limit of the payer is the reason. */
async function mailPayer(
  app: App,
  tx: Tx,
  payer_id: string,
  values: templates.Values & { owner: string },
): Promise<void> {
  const isTheirs = values.refusal === 'insufficient_balance' || values.refusal === 'payment_limit_reached'
  if (isTheirs) await mailTo(app, tx, payer_id, templates.payerCannotPay, values)
}

/** The name of the next plan, only if another plan was chosen for the end. */
function nextPlanIn(host: RenewalState['host'], locale: Locale): Pick<templates.Values, 'next_plan'> {
  const next = planAtEnd(host)
  return next && next.plan !== host.periods.at(-1)?.plan ? { next_plan: next.plan_name[locale] } : {}
}

/** Returns the mail for the last due step if several are due, as after a day without a worker; an end is always announced. */
function templateFor(
  { host, due, watch }: RenewalState,
  refusal?: string,
): MailTemplate<templates.Values> | undefined {
  const last = due.at(-1)
  if (last === lastTry && refusal !== undefined) return templates.renewalGivenUp
  if (due.some(({ does }) => does === 'end')) return templates.licenceEnded
  if (last === undefined || last.days > 0) return undefined
  if (refusal !== undefined) return templates.renewalFailed
  if (host.auto_renew) return templates.licenceRenewsSoon
  if (!watch.is_trial) return templates.licenceEndsSoon
  // A trial gets one mail, two days before its end, and none at the step where a paid licence gets its last mail.
  return due.some(({ does }) => does === 'reminder') ? templates.trialEndsSoon : undefined
}
