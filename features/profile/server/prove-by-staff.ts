import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { findAccountByProvenEmail, lockAddress } from './claim-queries.ts'
import { addressesOf, type Address } from './queries.ts'
import { prove } from './verification.ts'

/** Locks and returns an address of an account; undefined if the account has no such address. Callers lock the account afterwards. */
export async function lockClaim(tx: Tx, user_id: string, id: bigint): Promise<Address | undefined> {
  const claim = (await addressesOf(tx, user_id)).find((address) => address.id === id)
  if (claim) await lockAddress(tx, claim.email)
  return claim
}

/**
 * Proves an address on the word of a member of staff, for an account that has proven none. Throws 409 `has_proven_address`, and
 * `proven_elsewhere` where another account has proven it. Needs the address locked.
 */
export async function proveByStaff(app: App, tx: Tx, claim: Address): Promise<void> {
  if ((await addressesOf(tx, claim.user_id)).some(({ verified }) => verified))
    throw new HttpError(409, [{ code: 'has_proven_address' }])
  if (await findAccountByProvenEmail(tx, claim.email))
    throw new HttpError(409, [{ code: 'proven_elsewhere' }])
  if (!(await prove(app, tx, claim))) throw notFound()
}
