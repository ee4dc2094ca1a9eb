import { lockBalancesOf } from '#features/finance/server/finance.ts'
import { planAtEnd } from '#features/hosts/rules.ts'
import { lockFreeHosts, setAutoRenew } from '#features/hosts/server/hosts.ts'
import { askIfItMatters } from '#features/invoices/server/invoices.ts'
import { lockPayers } from '#features/payers/server/payers.ts'
import type { App } from '#foundation/server/app.ts'
import { atOnce } from '#foundation/server/database/batched.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { counter } from '#foundation/server/operation/metrics.ts'
import { firstTry, lastTry, stepAt } from '#features/licences/rules.ts'
import { planChange, scheduleNextStep } from '#features/licences/server/licences.ts'
import { fillForRenewal } from './fill-balances.ts'
import { loadRenewalState, mailLicenceNotice, type RenewalState } from './notices.ts'
import { writeSale } from './sale.ts'
import { judgePurchase } from './purchase.ts'

const refusals = counter(
  'hostdesk_renewals_refused_total',
  'Automatic renewals that were refused, by the code of the refusal.',
  ['code'],
)

/**
 * The job of the steps around the end of a licence: reminds, renews, announces the end, and another plan that begins before it. It decides
 * by the rows it has locked and not by its parameters, so a job that runs twice, late, or after the end has moved does nothing twice. A
 * refusal is written by the transaction that locked the balance: money that arrives later finds it, and renews (rule 58).
 */
export async function runRenewalStep(app: App, { host_id }: { host_id: string }): Promise<void> {
  const id = BigInt(host_id)
  await transaction(app, 'system', async (tx) => {
    const before = await loadRenewalState(tx, id)
    if (!before) return
    const { isRenewed, refused } = await tryToRenew(app, tx, before, isTryDue)
    // The steps of a renewed licence are planned anew, and none of them is due but the mail about another plan.
    if (isRenewed && !before.hasOtherPlan) return
    const standing = isRenewed ? await loadRenewalState(tx, id) : before
    if (standing) await takeSteps(app, tx, standing, refused)
  })
}

async function takeSteps(app: App, tx: Tx, standing: RenewalState, refusal?: string): Promise<void> {
  const { host, watch, due, now } = standing
  if (due.length === 0 && !standing.hasOtherPlan) return
  if (refusal !== undefined && due.at(-1) === lastTry) await setAutoRenew(tx, host, false)
  // The check of the VAT ID is asked for three days before the end, so that its answer is here before the charge.
  if (host.auto_renew && due.some(({ days }) => days === -3)) await askIfItMatters(app, tx, host.user_id)
  const announced_net = await mailLicenceNotice(app, tx, standing, refusal)
  await scheduleNextStep(tx, {
    ...watch,
    announced_net,
    plan_changes_at: planChange(host.periods, now),
    done_days: due.at(-1)?.days ?? watch.done_days,
    refusal: refusal ?? watch.refusal,
  })
}

/**
 * Renews the licences of many hosts by one transaction whose statements are for all of them. Returns the steps that need more than
 * a renewal, or another try: refusals with their mail, reminders, hosts that another transaction has locked. A refused renewal has
 * written nothing, so the other renewals go on.
 */
export async function renewTogether(
  app: App,
  steps: readonly { host_id: string }[],
): Promise<readonly { host_id: string }[]> {
  const renewed = await transaction(app, 'system', async (tx) => {
    // Rule 9: all hosts are locked before the first balance, and each kind of row in its own order.
    const ids = await lockFreeHosts(
      tx,
      steps.map(({ host_id }) => BigInt(host_id)),
    )
    const found = await atOnce(ids.map((id) => loadRenewalState(tx, id)))
    const due = found.filter((standing) => standing !== undefined).filter(mayRenew)
    // Hosts with one paying account are renewed one after the other, for they share its balance. Agreements are locked before balances.
    const rows = await lockPayers(
      tx,
      due.map(({ host }) => host.id),
    )
    const payers = new Map(rows.map((row) => [row.host_id, row.payer_id]))
    const each = Map.groupBy(due, ({ host }) => payers.get(host.id) ?? host.user_id)
    await lockBalancesOf(app, tx, [...each.keys()])
    const done = await atOnce([...each.values()].map((theirs) => renewEach(app, tx, theirs)))
    return new Set(done.flat())
  })
  return steps.filter(({ host_id }) => !renewed.has(BigInt(host_id)))
}

const mayRenew = (standing: RenewalState): boolean => standing.host.auto_renew && isTryDue(standing)

/** Renews hosts one after the other; returns the row ids of the renewed hosts that have no other step. */
async function renewEach(app: App, tx: Tx, due: readonly RenewalState[]): Promise<bigint[]> {
  const renewed: bigint[] = []
  for (const standing of due) {
    const purchase = await judgeNext(app, tx, standing).catch((error: unknown) => {
      if (error instanceof HttpError) return undefined
      throw error
    })
    if (!purchase) continue
    await writeSale(app, tx, purchase)
    if (!standing.hasOtherPlan) renewed.push(standing.host.id)
  }
  return renewed
}

/** The purchase of the next term; throws an HttpError if the purchase is refused. */
const judgeNext = (app: App, tx: Tx, { host, watch }: RenewalState) =>
  judgePurchase(app, tx, host, {
    slug: planAtEnd(host)?.plan ?? '',
    announced_net: watch.announced_net,
    automatic: true,
  })

/** Tries to renew at once: the balance rose after a refusal, or the switch was turned on when the first try was over. */
export async function renewNow(app: App, { host_id }: { host_id: string }): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const standing = await loadRenewalState(tx, BigInt(host_id))
    if (!standing) return
    const { refused } = await tryToRenew(app, tx, standing, mayTryNow)
    if (refused !== undefined && standing.watch.refusal === null) {
      await mailLicenceNotice(app, tx, { ...standing, due: [firstTry] }, refused)
      await scheduleNextStep(tx, { ...standing.watch, refusal: refused })
    }
  })
}

/** `refused` is the code of a refusal. `isRenewed` is true if another term was bought. */
type Tried = { refused?: string; isRenewed: boolean }

/** Buys another term if `isTime` returns true. A refusal has written nothing, and has locked the balance that was too low. */
async function tryToRenew(
  app: App,
  tx: Tx,
  standing: RenewalState,
  isTime: (standing: RenewalState) => boolean,
): Promise<Tried> {
  if (!standing.host.auto_renew || !isTime(standing)) return { isRenewed: false }
  let purchase: Awaited<ReturnType<typeof judgeNext>>
  try {
    purchase = await judgeNext(app, tx, standing)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const code = error.errors[0]?.code ?? 'invalid'
    refusals.add({ code })
    if (code === 'insufficient_balance') await fillForRenewal(tx, standing.host)
    return { refused: code, isRenewed: false }
  }
  await writeSale(app, tx, purchase)
  return { isRenewed: true }
}

/** A licence is renewed before its end; after the end only if the try before the end failed or was never made. */
function isTryDue({ watch, now, due }: RenewalState): boolean {
  if (!due.some(({ does }) => does !== 'reminder')) return false
  const wasTried = watch.done_days !== null && watch.done_days >= firstTry.days
  return now < watch.ends_at || watch.refusal !== null || !wasTried
}

function mayTryNow({ watch, now }: RenewalState): boolean {
  const until = watch.refusal === null ? watch.ends_at : stepAt(watch.ends_at, lastTry)
  return now >= stepAt(watch.ends_at, firstTry) && now < until
}
