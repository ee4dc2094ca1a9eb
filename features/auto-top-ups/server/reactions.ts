import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { balanceOverdrawn, balanceRose, savedMethodCharged } from '#features/finance/contract.ts'
import { methodChanged } from '#features/methods/contract.ts'
import { methodWithId } from '#features/methods/server/methods.ts'
import { isOpenRun, type PauseReason } from '#features/auto-top-ups/rules.ts'
import { declineRun, pauseAutoTopUp } from './ends.ts'
import { lockAutoTopUp } from './locks.ts'
import * as queries from './queries.ts'
import * as runs from './run-queries.ts'

/** The signed event of a charge ends its run, whatever the provider answered before. A dispute pauses, and a debit that came back. */
const takeEvent = on(savedMethodCharged, async (app, tx, told) => {
  const { user_id, top_up, kind, status, reason, stopsMethod, method_id } = told
  await lockAutoTopUp(tx, user_id)
  const run = await runs.runCalled(tx, top_up)
  if (run && status === 'paid' && run.state !== 'paid') {
    await runs.moveRun(tx, run.top_up_id, { state: 'paid', reason: '' })
    await queries.setDeclines(tx, user_id, 0, 0)
  }
  if (run && status === 'failed' && isOpenRun(run.state))
    await declineRun(app, tx, run, { reason, isFinal: stopsMethod })
  if (run && status === 'charged_back') await runs.moveRun(tx, run.top_up_id, { state: 'returned' })
  if (kind !== 'charged_back' || !stopsMethod) return
  const method = await methodWithId(tx, method_id)
  await pause(app, tx, user_id, method?.kind === 'sepa_debit' ? 'returned' : 'disputed')
})

/** Money that was taken back and spent before is a debt, and nothing is charged for it by itself. */
const takeDebt = on(balanceOverdrawn, async (app, tx, { user_id }) => {
  await lockAutoTopUp(tx, user_id)
  await pause(app, tx, user_id, 'disputed')
})

/** Money that comes before the day of an announced debit may make it needless: the next look cancels it then. */
const takeRise = on(balanceRose, (_app, tx, { user_id }) => queries.lookNowIfAnnounced(tx, user_id))

async function pause(app: App, tx: Tx, user_id: string, reason: PauseReason): Promise<void> {
  const row = await queries.autoTopUpOf(tx, user_id)
  if (row) await pauseAutoTopUp(app, tx, row, reason)
}

/** A method that its customer removes takes the automatic top-up with it; one that its provider ended is found by the next look. */
const takeMethodChange = on(methodChanged, async (app, tx, { user_id, method_id, change }) => {
  if (change === 'paused') return queries.lookNowByMethod(tx, method_id)
  if (change !== 'removed') return undefined
  await lockAutoTopUp(tx, user_id)
  const row = await queries.autoTopUpOf(tx, user_id)
  if (row?.method_id === method_id) await pauseAutoTopUp(app, tx, row, 'method_gone', { isQuiet: true })
})

/** With its account an automatic top-up ends. Money of a run that is on its way is found by the payment, which stays. */
const forget = on(userDeactivated, async (_app, tx, { user_id }) => {
  await queries.deleteAutoTopUp(tx, user_id)
  await runs.deleteRunsOf(tx, user_id)
})

export const reactions = [takeEvent, takeDebt, takeRise, takeMethodChange, forget]
