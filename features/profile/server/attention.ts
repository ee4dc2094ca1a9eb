import type { Tx } from '#foundation/server/database/transaction.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { PROFILE_CHANGED, type Matter } from '#features/profile/contract.ts'
import { changeAttention } from './queries.ts'

/** Asks the owner of an account, on every page, to look at a matter, or no longer. It costs the pages no statement: it comes with the profile. */
export async function setAttention(tx: Tx, user_id: string, matter: Matter, isDue: boolean): Promise<void> {
  if (await changeAttention(tx, user_id, matter, isDue)) await publish(tx, user_id, { type: PROFILE_CHANGED })
}
