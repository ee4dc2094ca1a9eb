import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { lockTopUp } from '#features/finance/server/finance.ts'
import { openRunOf, runCalled, type RunRow } from './run-queries.ts'

/** The automatic top-up of an account and its runs change one after the other. Payments and balances are locked before. */
export const lockAutoTopUp = (tx: Tx, user_id: string): Promise<void> =>
  lockByName(tx, `automatic top-up:${user_id}`)

/** Locks a run with its payment, as an event about it does, and reads it as whoever held it before has left it. */
export async function lockRun(
  tx: Tx,
  { top_up_id, user_id, public_id }: RunRow,
): Promise<RunRow | undefined> {
  await lockTopUp(tx, top_up_id)
  await lockAutoTopUp(tx, user_id)
  return runCalled(tx, public_id)
}

/** Locks the automatic top-up of an account with the run that is open. */
export async function lockWithRun(tx: Tx, user_id: string): Promise<RunRow | undefined> {
  const open = await openRunOf(tx, user_id)
  if (open) await lockTopUp(tx, open.top_up_id)
  await lockAutoTopUp(tx, user_id)
  return openRunOf(tx, user_id)
}
