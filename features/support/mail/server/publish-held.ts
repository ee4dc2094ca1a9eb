import type { Tx } from '#foundation/server/database/transaction.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import { HELD_MAILS } from '#features/support/mail/contract.ts'

/** Publishes that a mail waits, or waits no longer; also to the customer who is asked about it. */
export async function publishHeld(
  tx: Tx,
  { user_id }: { user_id: string | null | undefined },
): Promise<void> {
  await publishToStaff(tx, { type: HELD_MAILS })
  if (user_id) await publish(tx, user_id, { type: HELD_MAILS })
}
