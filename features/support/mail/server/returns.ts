import type { Tx } from '#foundation/server/database/transaction.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import { RETURNED_MAIL } from '#features/support/mail/contract.ts'
import type { AddressRow } from './address-queries.ts'
import * as queries from './return-queries.ts'
import type { Returned } from './returned.ts'

/** Notes that a mail came back. If that is for good, no mail but those about security goes to its address until its owner says so. */
export async function noteReturned(tx: Tx, { id, user_id }: AddressRow, returned: Returned): Promise<void> {
  if (!returned.final) return
  const mail_id = /^([\da-f-]{36})@/u.exec(returned.message_id)?.[1]
  const mail = await queries.markReturned(tx, { address_id: id, mail_id, reason: returned.reason })
  if (!mail) return
  await suspend(tx, { user_id, email: mail.to_address, reason: returned.reason })
}

type Suspended = { user_id: string; email: string; reason: string }

/** Suspends an address of an account. An address that has left the account meanwhile may be another person's by now. */
export async function suspend(tx: Tx, suspended: Suspended): Promise<void> {
  const { user_id, email } = suspended
  if (!(await emailsOf(tx, user_id)).includes(email)) return
  await queries.suspendAddress(tx, suspended)
  await tell(tx, user_id)
}

/** Ends the suspensions of addresses that are no longer those of the account. */
export async function endSuspensionsOfOthers(tx: Tx, user_id: string): Promise<void> {
  if (await queries.endOtherSuspensions(tx, user_id, await emailsOf(tx, user_id))) await tell(tx, user_id)
}

const emailsOf = async (tx: Tx, user_id: string): Promise<string[]> =>
  (await addressesOf(tx, user_id)).map(({ email }) => email)

async function tell(tx: Tx, user_id: string): Promise<void> {
  await publish(tx, user_id, { type: RETURNED_MAIL })
  await publishToStaff(tx, { type: RETURNED_MAIL })
}
