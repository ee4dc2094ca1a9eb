import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { BALANCE_CHANGED } from '#features/finance/contract.ts'

export const PUBLISH_BALANCE = jobKind('tell_balance', 'rest')

/**
 * Publishes to the customer's open pages that the balance changed. Of several changes in a row it may publish
 * only the last.
 */
export const publishBalance = (app: App, { user_id }: { user_id: string }): Promise<void> =>
  transaction(app, 'system', (tx) => publish(tx, user_id, { type: BALANCE_CHANGED }))
