import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'

/** The methods of one customer change one after the other: two could both become the default one. */
export const lockMethods = (tx: Tx, user_id: string): Promise<void> =>
  lockByName(tx, `payment methods:${user_id}`)
