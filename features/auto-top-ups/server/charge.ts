import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { enqueue, job } from '#foundation/server/jobs/jobs.ts'
import { balanceOf, type ChargeAnswer } from '#features/finance/server/finance.ts'
import { chargeSaved } from '#features/methods/server/methods.ts'
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
 * and the job is tried again. The answer books nothing; the signed event does (rule 14).
 */
export const chargeRun = job<{ run: string }>(CHARGE, async (app, { run }) => {
  const row = await runs.runCalled(app.db, run)
  if (!row || !(await isDue(app, row))) return
  const answer = await chargeSaved(app, row.user_id, run, { isThere: false })
  await transaction(app, 'system', async (tx) => {
    const locked = await lockRun(tx, row)
    if (locked?.state === 'charging') await settleAnswer(app, tx, locked, answer)
  })
})

/** True if a run is to be charged now. One that was announced is cancelled if it must not be charged any more. */
async function isDue(app: App, row: RunRow): Promise<boolean> {
  if (row.state !== 'announced') return row.state === 'charging'
  return transaction(app, 'system', async (tx) => {
    const run = await lockRun(tx, row)
    if (run?.state !== 'announced') return run?.state === 'charging'
    const balance = await balanceOf(app, tx, row.user_id)
    const allowed = await queries.autoTopUpOf(tx, row.user_id)
    const { used } = await runs.usageOf(tx, row.user_id, app.config.timeZone)
    const isAllowed =
      allowed?.state === 'active' && allowed.method_id === row.method_id && used <= allowed.month_limit
    if (isAllowed && balance + row.amount <= app.config.topUp.balanceCap) {
      await runs.moveRun(tx, row.top_up_id, { state: 'charging' })
      return true
    }
    await endRun(tx, row, 'cancelled')
    return false
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

/** Looks after runs that wait in vain: for a job that was lost, for their customer, or for an event. */
export async function sweepRuns(app: App): Promise<void> {
  const found = await runs.strandedRuns(app.db, { late_s: LATE_S, days: UNDER_WAY_DAYS, limit: AT_ONCE })
  for (const row of found)
    await transaction(app, 'system', async (tx) => {
      const run = await lockRun(tx, row)
      if (!run || !isOpenRun(run.state) || run.state !== row.state) return
      if (run.state === 'announced' || run.state === 'charging')
        return enqueue(tx, CHARGE, { run: run.public_id }, { key: `auto-top-up:${run.public_id}` })
      const isAsked = run.state === 'action_needed'
      await (isAsked ? endRun(tx, run, 'expired') : runs.moveRun(tx, run.top_up_id, { state: 'expired' }))
      const standing = await queries.autoTopUpOf(tx, run.user_id)
      if (standing) await pauseAutoTopUp(app, tx, standing, isAsked ? 'not_allowed' : 'no_news')
    })
}
