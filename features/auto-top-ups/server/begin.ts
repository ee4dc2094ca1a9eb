import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { toMoney } from '#foundation/money.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { announceTopUp, lockTopUpIfFree, offered, providerCalled } from '#features/finance/server/finance.ts'
import { isUsable, methodWithId, toMethodReply, type MethodRow } from '#features/methods/server/methods.ts'
import {
  chargeFor,
  coverDays,
  MOST_A_DAY,
  noticeDays,
  type Due,
  type HoldReason,
  type Wanted,
} from '#features/auto-top-ups/rules.ts'
import { endRun, pauseAutoTopUp, tellOfChange } from './ends.ts'
import { lockAutoTopUp } from './locks.ts'
import * as mails from './mails.ts'
import * as queries from './queries.ts'
import type { AutoTopUpRow } from './queries.ts'
import * as runs from './run-queries.ts'

export const CHARGE = jobKind('charge_auto_top_up', 'money')

const DAY_MS = 86_400_000
const HOUR_S = 3600
// A balance may change by an order at any moment; renewals are known days ahead.
const LOOK_S = { cover: 6 * HOUR_S, threshold: 600 } as const
const SHORTEST_S = 600

/** The balance of an account, which the caller has locked, and the renewals that it is to pay. Amounts in minor units. */
export type Present = { balance: bigint; upcoming: () => Promise<readonly Due[]> }

/**
 * Begins a run if the balance of an account lacks money: a row, a payment, and the job that charges the saved method after the commit. A debit
 * that was announced and lacks nothing any more is cancelled before its day. Plans the next look, which is the last statement of an account that lacks nothing.
 */
export async function fillBalance(app: App, tx: Tx, user_id: string, present: Present): Promise<void> {
  await lockAutoTopUp(tx, user_id)
  const row = await queries.autoTopUpOf(tx, user_id)
  // Another process may have looked since this one found that a look is due.
  if (row?.state !== 'active' || !row.is_due) return
  const method = await methodWithId(tx, row.method_id)
  if (!method || !isUsable(method) || !offered(app, method.provider))
    return pauseAutoTopUp(app, tx, row, 'method_gone')
  const owner = await findUser(tx, user_id)
  const { used, of_day } = await runs.usageOf(tx, user_id, app.config.timeZone)
  const mayRun = owner?.is_active && owner.access === 'open' && of_day < MOST_A_DAY
  const open = await runs.openRunOf(tx, user_id)
  if (!mayRun || (open && open.state !== 'announced')) return look(tx, row, undefined)
  const upcoming = row.kind === 'cover' ? await present.upcoming() : []
  const charge = chargeFor(present.balance, wantedBy(row, method, upcoming), limitsOf(app, row, method, used))
  if (open) {
    const isNeeded = charge.amount !== undefined || charge.held !== undefined
    if (!isNeeded && (await lockTopUpIfFree(tx, open.top_up_id))) await cancel(tx, open)
    return look(tx, row, undefined)
  }
  if (charge.amount !== undefined) return begin(app, tx, { row, method, amount: charge.amount })
  await hold(app, tx, row, charge.held)
  return look(tx, row, nextLook(method, upcoming, present.balance))
}

function wantedBy(row: AutoTopUpRow, { kind }: MethodRow, upcoming: readonly Due[]): Wanted {
  if (row.threshold !== null && row.amount !== null)
    return { kind: 'threshold', threshold: row.threshold, amount: row.amount }
  return { kind: 'cover', upcoming, until: new Date(Date.now() + coverDays(kind) * DAY_MS) }
}

function limitsOf({ config }: App, { month_limit }: AutoTopUpRow, { provider }: MethodRow, used: bigint) {
  const { min, max, balanceCap: cap } = config.topUp
  return {
    min,
    max,
    cap,
    month_limit,
    used,
    round: (amount: bigint) => roundUp(provider, amount, config.currency),
  }
}

// The coarsest unit of a provider is a hundred minor units.
const COARSEST = 100n

/** Raises an amount to the next one that a provider counts. */
function roundUp(provider: MethodRow['provider'], amount: bigint, currency: string): bigint {
  const { canCharge } = providerCalled(provider)
  for (let raised = amount; raised < amount + COARSEST; raised += 1n)
    if (canCharge?.(raised, currency) !== false) return raised
  return amount
}

async function cancel(tx: Tx, run: runs.RunRow): Promise<void> {
  await endRun(tx, run, 'cancelled')
  await tellOfChange(tx, run.user_id)
}

type Beginning = { row: AutoTopUpRow; method: MethodRow; amount: bigint }

async function begin(app: App, tx: Tx, { row, method, amount }: Beginning): Promise<void> {
  const { user_id } = row
  const { provider, id: method_id, kind } = method
  const {
    id: top_up_id,
    public_id,
    currency,
  } = await announceTopUp(app, tx, {
    user_id,
    provider,
    amount,
    method_id,
  })
  const run = { top_up_id, public_id, user_id, method_id, amount, currency }
  const charge_at = await runs.insertRun(tx, run, noticeDays(kind))
  await queries.setHeld(tx, user_id, '')
  enqueue(tx, CHARGE, { run: public_id }, { key: `auto-top-up:${public_id}`, run_at: charge_at })
  await look(tx, row, undefined)
  await tellOfChange(tx, user_id)
  if (noticeDays(kind) === 0) return
  await mailTo(app, tx, user_id, mails.chargeAnnounced, {
    amount: toMoney(amount, currency),
    method: toMethodReply(method),
    at: charge_at,
    mandate: method.mandate_ref,
    creditor: app.config.sepaCreditorId,
  })
}

/** Remembers the limit that holds a charge back, and mails about it once. A balance that lacks nothing ends a row of declines. */
async function hold(app: App, tx: Tx, row: AutoTopUpRow, held: HoldReason | undefined): Promise<void> {
  if (row.declines > 0) await queries.setDeclines(tx, row.user_id, 0, 0)
  if ((held ?? '') === row.reason) return
  await queries.setHeld(tx, row.user_id, held ?? '')
  await tellOfChange(tx, row.user_id)
  if (held) await mailTo(app, tx, row.user_id, mails.chargeHeld, { reason: held })
}

const look = (tx: Tx, { user_id, kind }: AutoTopUpRow, at: Date | undefined): Promise<void> =>
  queries.lookBy(tx, user_id, { at, shortest_s: SHORTEST_S, longest_s: LOOK_S[kind] })

/** The time at which the first renewal that lacks money is near enough. */
function nextLook({ kind }: MethodRow, upcoming: readonly Due[], balance: bigint): Date | undefined {
  let left = balance
  for (const { due_at, total } of upcoming.toSorted(
    (one, other) => one.due_at.getTime() - other.due_at.getTime(),
  ))
    if ((left -= total) < 0n) return new Date(due_at.getTime() - coverDays(kind) * DAY_MS)
  return undefined
}
