import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { enqueue, job } from '#foundation/server/jobs/jobs.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { balanceOf, type ChargeAnswer } from '#features/finance/server/finance.ts'
import { CHARGE_SETTLED_S, chargeSaved, endCharge } from '#features/methods/server/methods.ts'
import { isOpenRun } from '#features/auto-top-ups/rules.ts'
import { CHARGE } from './begin.ts'
import { askCustomer, declineRun, endRun, pauseAutoTopUp, tellOfChange } from './ends.ts'
import { lockRun } from './locks.ts'
import * as queries from './queries.ts'
import * as runs from './run-queries.ts'
import type { RunRow } from './run-queries.ts'

/**
 * Charges the saved method for a run. The row stands before, and the provider is called outside of any transaction, by the run's id as its
 * idempotency key: killed anywhere, the job runs again and the provider answers with the same charge. A provider that does not answer throws,
 * and the job is tried again, for as long as the automatic top-up allows the charge. The answer books nothing; the signed event does (rule 14).
 */
export const chargeRun = job<{ run: string }>(CHARGE, async (app, { run }) => {
  const row = await runs.runCalled(app.db, run)
  const step = row && (await nextStep(app, row))
  if (!row || !step) return
  if (step.isStopped) return stopRun(app, step.run)
  const answer = await chargeSaved(app, row.user_id, run, { isThere: false })
  await transaction(app, 'system', async (tx) => {
    const locked = await lockRun(tx, row)
    if (locked?.state === 'charging') await settleAnswer(app, tx, locked, answer)
  })
})

/**
 * Returns a run of which the provider is to be asked now: for its charge, which is noted before, or, if it must not be charged any more, for what has
 * become of it. One of which the provider was never asked is cancelled instead. A call about it may still be under way: then it waits.
 */
async function nextStep(app: App, row: RunRow): Promise<{ run: RunRow; isStopped: boolean } | undefined> {
  return transaction(app, 'system', async (tx) => {
    const run = await lockRun(tx, row)
    if (run?.state !== 'announced' && run?.state !== 'charging') return undefined
    if (await mayCharge(app, tx, run)) {
      await runs.setRequested(tx, run.top_up_id)
      return { run, isStopped: false }
    }
    if (run.asked_at === null) {
      await endRun(tx, run, 'cancelled')
      return undefined
    }
    if (await runs.isSettled(tx, run.top_up_id, CHARGE_SETTLED_S)) return { run, isStopped: true }
    enqueueCharge(tx, run, CHARGE_SETTLED_S)
    return undefined
  })
}

/** True while the account is open and its automatic top-up allows the charge of a run. */
async function mayCharge(
  app: App,
  tx: Tx,
  { user_id, method_id, amount }: Pick<RunRow, 'user_id' | 'method_id' | 'amount'>,
): Promise<boolean> {
  const owner = await findUser(tx, user_id)
  if (!owner?.is_active || owner.access !== 'open') return false
  const balance = await balanceOf(app, tx, user_id)
  const allowed = await queries.autoTopUpOf(tx, user_id)
  const { used } = await runs.usageOf(tx, user_id, app.config.timeZone)
  const isAllowed =
    allowed?.state === 'active' && allowed.method_id === method_id && used <= allowed.month_limit
  return isAllowed && balance + amount <= app.config.topUp.balanceCap
}

/** Ends a run that must not be charged any more, unless its provider has made the charge, whose event ends it then. */
async function stopRun(app: App, run: RunRow): Promise<void> {
  const end = await endCharge(app, run.user_id, run.public_id)
  await transaction(app, 'system', async (tx) => {
    const locked = await lockRun(tx, run)
    // It may be allowed again, and asked for, meanwhile.
    if (locked?.state !== 'charging' || locked.asked_at?.getTime() !== run.asked_at?.getTime()) return
    if (end !== 'moving') return endRun(tx, locked, 'cancelled')
    await runs.moveRun(tx, locked.top_up_id, { state: 'under_way' })
    await tellOfChange(tx, locked.user_id)
  })
}

async function settleAnswer(app: App, tx: Tx, run: RunRow, answer: ChargeAnswer): Promise<void> {
  const { state, reason } = answer
  switch (state) {
    case 'declined':
      return declineRun(app, tx, run, { reason, isFinal: answer.isFinal || reason === 'method_not_usable' })
    case 'action_needed':
      return askCustomer(app, tx, run)
    case 'paid':
    case 'under_way':
      await runs.moveRun(tx, run.top_up_id, { state: 'under_way' })
      return tellOfChange(tx, run.user_id)
    default:
      return state satisfies never
  }
}

// The job of a run gives up after some days without an answer; a debit is told of within two weeks, or never.
const LATE_S = 7200
const UNDER_WAY_DAYS = 14
const AT_ONCE = 200

const enqueueCharge = (tx: Tx, { public_id: run }: RunRow, after_s = 0): void =>
  enqueue(tx, CHARGE, { run }, { key: `auto-top-up:${run}`, after_s })

/** Looks after runs that wait in vain: for a job that was lost, for their customer, or for an event. */
export async function sweepRuns(app: App): Promise<void> {
  const found = await runs.strandedRuns(app.db, { late_s: LATE_S, days: UNDER_WAY_DAYS, limit: AT_ONCE })
  for (const row of found)
    await transaction(app, 'system', async (tx) => {
      const run = await lockRun(tx, row)
      if (!run || !isOpenRun(run.state) || run.state !== row.state) return
      if (run.state === 'announced' || run.state === 'charging') return enqueueCharge(tx, run)
      const isAsked = run.state === 'action_needed'
      await (isAsked ? endRun(tx, run, 'expired') : runs.moveRun(tx, run.top_up_id, { state: 'expired' }))
      const standing = await queries.autoTopUpOf(tx, run.user_id)
      if (standing) await pauseAutoTopUp(app, tx, standing, isAsked ? 'not_allowed' : 'no_news')
    })
}
