import { record } from '#foundation/server/account-events/record.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { customerCreated } from '#features/profile/event-contract.ts'
import { insertProfile } from './queries.ts'

/** Gives a new account its (empty) profile, and records the account for the operator. */
export async function createProfile(tx: Tx, user_id: string): Promise<void> {
  await insertProfile(tx, user_id)
  record(tx, user_id, customerCreated, async () => {
    const user = await findUser(tx, user_id)
    return user && { id: user_id, email: user.email }
  })
}
