import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { addressChanged, PROFILE_CHANGED } from '#features/profile/contract.ts'
import { findAccountByProvenEmail } from './claim-queries.ts'
import { claimAddress } from './claims.ts'
import * as queries from './queries.ts'

/**
 * Makes an address, which staff have checked, the only one of an account, and ends all others: whoever holds the lost mailbox could ask for
 * another password there. Returns false, and changes nothing, if another account has proven the address. Needs the address locked, then the
 * account.
 */
export async function moveToAddress(app: App, tx: Tx, user_id: string, email: string): Promise<boolean> {
  const proven = await findAccountByProvenEmail(tx, email)
  if (proven && proven.user_id !== user_id) return false
  const before = await queries.addressesOf(tx, user_id)
  for (const { id } of before.filter((one) => one.email === email && !one.verified))
    await queries.removeAddress(tx, id)
  const address =
    before.find((one) => one.email === email && one.verified) ??
    (await queries.insertAddress(tx, { user_id, email, is_primary: false, verified: true }))
  await claimAddress(app, tx, email, user_id)
  await queries.setPrimary(tx, address)
  await updateUser(tx, user_id, { email })
  for (const { id } of before.filter((one) => one.email !== email)) await queries.removeAddress(tx, id)
  await emit(app, tx, addressChanged, { user_id, change: 'primary' })
  await publish(tx, user_id, { type: PROFILE_CHANGED })
  return true
}
