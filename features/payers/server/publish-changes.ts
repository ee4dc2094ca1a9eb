import { AGREEMENT_CHANGED } from '#features/payers/contract.ts'
import { peopleOf } from '#features/profile/server/profile.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import type { AgreementRow } from './queries.ts'

/** Makes the open pages of both sides load the agreements again. The other side of an offer is whoever has proven the address that is asked. */
export async function publishToBoth(
  tx: Tx,
  { owner_id, payer_id, email }: Pick<AgreementRow, 'owner_id' | 'payer_id' | 'email'>,
): Promise<void> {
  const accounts = [owner_id, payer_id]
  const people = await peopleOf(tx, { accounts, email: accounts.includes(null) ? email : null })
  for (const user_id of people) await publish(tx, user_id, { type: AGREEMENT_CHANGED })
}
