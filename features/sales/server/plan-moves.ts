import { planAtEnd } from '#features/hosts/rules.ts'
import { announceHost, lockHostById, type HostRow } from '#features/hosts/server/hosts.ts'
import { priceNote, vatFor, vatOver } from '#features/invoices/server/invoices.ts'
import { netAt, priceOf, RISE_NOTICE_DAYS } from '#features/licences/rules.ts'
import * as licences from '#features/licences/server/licences.ts'
import type { PlanMove, PlanRow } from '#features/licences/server/licences.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction, type originOf } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { planMoves, planStays } from './plan-move-mails.ts'
import { writeRenewalPlan } from './renewal-plan.ts'

type Wanted = { from_plan: string; to_plan: string; counts_from?: Date | undefined }
type By = { by: string; origin?: ReturnType<typeof originOf> }

/**
 * Judges the move of the servers of a retired plan to another plan, without writing anything. Throws 404; 409 `plan_on_sale`; 400
 * `unknown_plan`@to for a plan that is not sold, or has another term or product, `too_soon`@from for less notice than a rise of prices has.
 */
export async function judgeMove(db: App['db'], { from_plan, to_plan, counts_from }: Wanted) {
  const plans = await licences.allPlans(db)
  const plan = (wanted: string) => plans.find(({ slug }) => slug === wanted)
  const [before, after] = [plan(from_plan), plan(to_plan)]
  if (!before) throw notFound()
  if (before.is_active) throw new HttpError(409, [{ code: 'plan_on_sale' }])
  const fits = after?.is_sold && after.term === before.term && after.product.slug === before.product.slug
  if (!after || !fits) throw badRequest('unknown_plan', 'to')
  const earliest = new Date(Date.now() + RISE_NOTICE_DAYS * DAY_MS + LATE_MS)
  if (counts_from && counts_from < earliest) throw badRequest('too_soon', 'from')
  const at = counts_from ?? earliest
  const net = netAt(after.prices, 'renewals_from_at', at) ?? after.renewal_net
  return { before, after, net, counts_from: at, ...(await licences.countMovable(db, from_plan)) }
}

const DAY_MS = 86_400_000
// The mails leave soon after the move was planned, and each has its 30 days.
const LATE_MS = 3_600_000

/** Plans a move: the owners are told by a job. Throws as `judgeMove` does, and 409 `move_planned` while another one is ahead. */
export async function planMove(tx: Tx, wanted: Wanted, { by, origin }: By): Promise<PlanMove> {
  await licences.lockPlan(tx, wanted.from_plan)
  const { net, counts_from } = await judgeMove(tx, wanted)
  const known = (await licences.movesByPlan(tx)).get(wanted.from_plan)
  if (known && known.counts_from > new Date()) throw new HttpError(409, [{ code: 'move_planned' }])
  const { from_plan, to_plan } = wanted
  const move = await licences.insertMove(tx, { from_plan, to_plan, net, counts_from })
  const detail = { by, plan: from_plan, to_plan, from: counts_from.toISOString(), price_net: net.toString() }
  await recordAction(tx, { user_id: null, act: 'plan.move_planned', ...origin, detail })
  enqueue(tx, TELL_MOVE, { id: String(move.id) }, { key: `plan-move:${move.id}` })
  return move
}

/** Takes a move back, and tells the owners. Throws 404, and 409 `move_in_effect` once it counts. */
export async function takeMoveBack(tx: Tx, from_plan: string, { by, origin }: By): Promise<PlanMove> {
  const move = (await licences.movesByPlan(tx)).get(from_plan)
  if (!move) throw notFound()
  if (!(await licences.undoMove(tx, move.id))) throw new HttpError(409, [{ code: 'move_in_effect' }])
  const detail = { by, plan: from_plan, to_plan: move.to_plan }
  await recordAction(tx, { user_id: null, act: 'plan.move_undone', ...origin, detail })
  enqueue(tx, TELL_MOVE, { id: String(move.id) }, { key: `plan-move-undone:${move.id}` })
  return move
}

export const TELL_MOVE = jobKind('tell_plan_move', 'rest')
export const DO_MOVES = jobKind('do_plan_moves', 'rest')

const AT_ONCE = 100

/** Tells the owners of a planned move, or that it was undone. A job that runs twice tells nobody twice of the same. */
export async function tellMove(app: App, { id }: { id: string }): Promise<void> {
  const move = must(await licences.moveById(app.db, BigInt(id)))
  await (move.undone_at ? tellUndone(app, move) : tellOwners(app))
}

async function tellOwners(app: App): Promise<void> {
  for (let after = 0n, isMore = true; isMore;) {
    const found = await licences.hostsWithoutNotice(app.db, after, AT_ONCE)
    for (const { move_id, host_id } of found)
      await transaction(app, 'system', (tx) => tellOwner(app, tx, move_id, host_id))
    after = found.at(-1)?.host_id ?? after
    isMore = found.length === AT_ONCE
  }
}

async function tellOwner(app: App, tx: Tx, move_id: bigint, host_id: bigint): Promise<void> {
  const host = await lockHostById(tx, host_id)
  const move = must(await licences.moveById(tx, move_id))
  if (!host || move.undone_at || !(await licences.insertNotice(tx, move.id, host))) return
  await mailOwner(app, tx, host, move, planMoves)
  for (const due of await licences.dueMoves(tx, 1, host.id)) await moveNow(app, tx, host, due.move_id)
}

/**
 * Puts the other plan at the end of the servers whose next renewal is one with it, once those are told that began to renew the retired plan
 * after the move was planned: a renewal switched on, a server given away. Each has the same notice.
 */
export async function doMoves(app: App): Promise<void> {
  await tellOwners(app)
  for (const { host_id } of await licences.dueMoves(app.db, AT_ONCE * 10))
    await transaction(app, 'system', async (tx) => {
      const host = await lockHostById(tx, host_id)
      // The owner may have chosen, or the move been undone, while this transaction waited for the lock.
      const [due] = host ? await licences.dueMoves(tx, 1, host.id) : []
      if (host && due) await moveNow(app, tx, host, due.move_id)
    })
}

async function moveNow(app: App, tx: Tx, host: HostRow, move_id: bigint): Promise<void> {
  const { to_plan, net } = must(await licences.moveById(tx, move_id))
  const { after } = await plansOf(tx, { from_plan: to_plan, to_plan })
  await setPlan(app, tx, host, after, net)
  await licences.noteMoved(tx, move_id, host.id)
}

/** Writes the plan for the end; its renewal charges `net` at most, as the mail says (rule 46). */
async function setPlan(app: App, tx: Tx, host: HostRow, plan: PlanRow, net: bigint): Promise<void> {
  await writeRenewalPlan(app, tx, host, { plan, net, auto_renew: host.auto_renew })
  const watch = await licences.scheduleOf(tx, host.id)
  if (watch) await licences.scheduleNextStep(tx, { ...watch, announced_net: net })
  await announceHost(tx, host)
}

async function tellUndone(app: App, move: PlanMove): Promise<void> {
  for (let after = 0n, isMore = true; isMore;) {
    const ids = await licences.noticedHosts(app.db, move.id, after, AT_ONCE)
    for (const host_id of ids) await transaction(app, 'system', (tx) => keepPlan(app, tx, move, host_id))
    after = ids.at(-1) ?? after
    isMore = ids.length === AT_ONCE
  }
}

async function keepPlan(app: App, tx: Tx, move: PlanMove, host_id: bigint): Promise<void> {
  const host = await lockHostById(tx, host_id)
  if (!host || !(await licences.deleteNotice(tx, move.id, host))) return
  const { before } = await plansOf(tx, move)
  if (planAtEnd(host)?.plan === move.to_plan && host.periods.at(-1)?.plan === move.from_plan)
    await setPlan(app, tx, host, before, before.renewal_net)
  await mailOwner(app, tx, host, move, planStays)
}

async function plansOf(db: App['db'], { from_plan, to_plan }: Pick<PlanMove, 'from_plan' | 'to_plan'>) {
  const plans = await licences.allPlans(db)
  const plan = (wanted: string) => must(plans.find(({ slug }) => slug === wanted))
  return { before: plan(from_plan), after: plan(to_plan) }
}

async function mailOwner(
  app: App,
  tx: Tx,
  host: HostRow,
  move: PlanMove,
  template: typeof planMoves,
): Promise<void> {
  const user = await findUser(tx, host.user_id)
  if (!user) return
  const { before, after } = await plansOf(tx, move)
  const vat = vatOver(await vatFor(app, tx, host.user_id), move.net)
  const notice_ends = new Date(Date.now() + RISE_NOTICE_DAYS * DAY_MS)
  await mailTo(app, tx, user.id, template, {
    host: host.name,
    host_id: host.public_id,
    plan: before.name[user.locale],
    next_plan: after.name[user.locale],
    before: priceOf(before.renewal_net, vat.rate_bp).total,
    after: priceOf(move.net, vat.rate_bp).total,
    from: notice_ends > move.counts_from ? notice_ends : move.counts_from,
    currency: app.config.currency,
    vat_note: priceNote(vat, app.config.company),
  })
}
