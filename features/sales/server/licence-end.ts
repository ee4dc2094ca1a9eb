import { planAtEnd } from '#features/hosts/rules.ts'
import { announceHost, type KeptExtra } from '#features/hosts/server/hosts.ts'
import {
  addonsOf,
  forgetChoices,
  forgetRenewalPlan,
  heldExtras,
  planChange,
  putChosenExtras,
  putRenewalPlan,
  writeLicenceToHost,
} from '#features/licences/server/licences.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { ServerRow } from './gate.ts'
import type { SoldLicence } from './sale-lines.ts'

/** Writes the end of a purchase into its host, schedules the renewal steps, and announces the host. */
export async function moveEnd(
  app: App,
  tx: Tx,
  { host, plan, period, extras }: SoldLicence,
  now: Date,
): Promise<void> {
  const bought = { plan: plan.slug, starts_at: period.starts_at.toISOString() }
  const plan_changes_at = planChange([...host.periods, bought], now)
  await writeLicenceToHost(tx, host, { ends_at: period.ends_at, plan_changes_at, is_trial: false, now })
  // The licence goes on with the plan bought last: an earlier choice for the end is fulfilled, or taken back (decision 031).
  const isKept = await keepRenewal(app, tx, host, { plan: plan.slug, extras })
  if (!isKept && (host.renewal || host.extras_at_end)) await forgetChoices(tx, host.id)
  await announceHost(tx, host)
}

type Last = { plan: string; extras?: readonly KeptExtra[] | null | undefined }

/**
 * Keeps the plan and the add-ons of an automatic renewal as they were before a purchase, as the choice for the end, where a helper with a limit
 * buys: renewals come again each term, so no limit would bound them. `host` is the row from before, and `last` is what was bought last. Returns
 * false, with nothing written, for any other purchase.
 */
export async function keepRenewal(
  { acting }: Pick<App, 'acting'>,
  tx: Tx,
  host: ServerRow,
  last: Last,
): Promise<boolean> {
  const before = planAtEnd(host)
  if (!acting?.isLimited || !host.auto_renew || !before) return false
  const { id: host_id, user_id } = host
  if (before.plan === last.plan) await forgetRenewalPlan(tx, host_id)
  else await putRenewalPlan(tx, { host_id, user_id, plan: before.plan })
  const extras = heldExtras(host)
  if (extras.length > 0 || addonsOf(last.extras).length > 0)
    await putChosenExtras(tx, { host_id, user_id, extras })
  return true
}
