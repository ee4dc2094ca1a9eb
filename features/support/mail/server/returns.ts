import type { Tx } from '#foundation/server/database/transaction.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import { publish, publishToStaff } from '#foundation/server/realtime/publish.ts'
import { RETURNED_MAIL } from '#features/support/mail/contract.ts'
import type { AddressRow } from './address-queries.ts'
import * as queries from './return-queries.ts'
import type { Returned } from './returned.ts'

/**
 * Notes that a mail came back. If no other will reach its address either, no mail but those about security goes there until its owner says so.
 * A report that names another mail of ours marks none: the last mail of the address may have arrived.
 */
export async function noteReturned(tx: Tx, address: AddressRow, returned: Returned): Promise<void> {
  const { id, user_id } = address
  const { failed, final, reason, message_id } = returned
  if (!failed) return
  const mail = await queries.markReturned(tx, { address_id: id, mail_id: OWN.exec(message_id)?.[1], reason })
  if (mail) await publishToStaff(tx, { type: RETURNED_MAIL })
  const email = mail?.to_address ?? address.to_address
  if (final && email !== null) await suspend(tx, { user_id, email, reason })
}

/** The Message-ID of a mail of this product begins with the id of its row. */
const OWN = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/u

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
