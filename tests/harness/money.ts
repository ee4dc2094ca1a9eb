import { post, type Movement, type Posted } from '#features/finance/server/ledger.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'

/** Books any movement, as the system. */
export const move = (app: App, movement: Movement): Promise<Posted> =>
  transaction(app, 'system', (tx) => post(app, tx, movement))

/** Puts money (minor units) on a balance, as if it had come by the test provider. */
export const addMoney = (app: App, user_id: string, amount: bigint): Promise<Posted> =>
  move(app, {
    type: 'fill_balance',
    user_id,
    amount,
    provider: 'test',
    description: { code: 'top_up', params: { provider: 'test' } },
  })
