import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue, job } from '#foundation/server/jobs/jobs.ts'
import type { SavedDetails } from '#features/finance/contract.ts'
import { providerCalled } from '#features/finance/server/finance.ts'
import * as queries from './queries.ts'
import type { MethodRow } from './queries.ts'
import { savedMethod, sealReferences } from './references.ts'

export const FORGET = jobKind('forget_payment_method', 'money')

/** Has the provider forget a method that is removed. A provider that does not answer throws, and the job is tried again for days. */
export const forgetMethod = job<{ method: string }>(FORGET, async (app, { method: id }) => {
  const row = await queries.methodWithId(app.db, id)
  const saved = row?.state === 'removed' ? savedMethod(app, row) : undefined
  if (!row || !saved) return
  await providerCalled(row.provider).forgetMethod?.(app, saved)
  await transaction(app, 'system', (tx) => queries.forgetReference(tx, id))
})

/** Returns the details of a method as they are stored. */
export const detailsFor = (
  app: App,
  public_id: string,
  { provider_ref, customer_ref, fingerprint, ...details }: SavedDetails,
) => ({
  ...details,
  ...sealReferences(app, public_id, { provider_ref, customer_ref, fingerprint }),
})

/** Has the provider forget what it keeps for a method that its customer has removed. */
export async function forgetSaved(
  app: App,
  tx: Tx,
  { id, public_id }: MethodRow,
  saved: SavedDetails,
): Promise<void> {
  const nothing = { brand: '', last4: '', expires: null, mandate_ref: null }
  await queries.setDetails(tx, id, { ...detailsFor(app, public_id, saved), ...nothing })
  enqueue(tx, FORGET, { method: id }, { key: `forget:${id}` })
}
