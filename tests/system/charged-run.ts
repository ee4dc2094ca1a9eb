import { insertRun, runOf } from '#features/auto-top-ups/server/run-queries.ts'
import { announceTopUp } from '#features/finance/server/finance.ts'
import { methodOf } from '#features/methods/server/queries.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'

/** Begins a run of the automatic top-up, which charges a method of this account. Returns the id of the run, by which its owner finds it. */
export const chargedRun = async (app: App, user_id: string, method: string): Promise<string> =>
  transaction(app, 'system', async (tx) => {
    const { id: method_id, provider } = must(await methodOf(tx, user_id, method))
    const payment = { user_id, provider, method_id, amount: 25_00n }
    const { id: top_up_id, ...made } = await announceTopUp(app, tx, payment)
    const { public_id, currency, amount } = made
    await insertRun(tx, { top_up_id, public_id, user_id, method_id, currency, amount }, 0)
    return must(await runOf(tx, user_id, public_id), 'the run for its owner').public_id
  })
