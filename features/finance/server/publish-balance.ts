import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { BALANCE_CHANGED } from '#features/finance/contract.ts'

export const PUBLISH_BALANCE = 'tell_balance'

/** Tells the customer's open pages that the balance is another one. Of several changes in a row it may tell but the last. */
export const publishBalance = (app: App, { user_id }: { user_id: string }): Promise<void> =>
  transaction(app, 'system', (tx) => publish(tx, user_id, { type: BALANCE_CHANGED }))
