import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { passwordChanged } from '#features/security/contract.ts'
import { hashPassword, isOutdated, verifyPassword, wasteTime, type PasswordHash } from './hashing.ts'
import * as queries from './queries.ts'

export { countCodeAttempt, countPasswordAttempt, judged } from './attempts.ts'
export { hashPassword, passwordText, type PasswordHash } from './hashing.ts'
export { judgePassword } from './judge-password.ts'
export { removeFactors } from './factors.ts'
export { useCode } from './codes.ts'
export { passwordSetAt } from './queries.ts'
export { passkeyRequest, usePasskey, type UsedPasskey } from './webauthn.ts'

/**
 * Gives an account a password, hashed beforehand by `hashPassword` (outside the transaction, because hashing is slow). Emits
 * `passwordChanged`. Callers handle sessions, audit and mail, which differ by the occasion.
 */
export async function setPassword(app: App, tx: Tx, user_id: string, hash: PasswordHash): Promise<void> {
  await queries.putHash(tx, user_id, hash)
  await updateUser(tx, user_id, { has_password: true })
  await emit(app, tx, passwordChanged, { user_id })
}

/** Deletes the password of an account; its owner sets the next one by a mailed link. Emits `passwordChanged`. */
export async function voidPassword(app: App, tx: Tx, user_id: string): Promise<void> {
  await queries.deletePassword(tx, user_id)
  await updateUser(tx, user_id, { has_password: false })
  await emit(app, tx, passwordChanged, { user_id })
}

/** True if the hash is one of this password. Without a hash it does the same work and returns false. */
export const matchesHash = (hash: string | undefined, password: string): Promise<boolean> =>
  hash === undefined ? wasteTime(password) : verifyPassword(hash, password)

/**
 * True if this is the account's password. For an unknown account (`user_id` is undefined) it does the same work and returns false.
 * Renews the hash if our parameters have changed. Count the attempt first.
 */
export async function checkPassword(
  app: App,
  user_id: string | undefined,
  password: string,
): Promise<boolean> {
  const stored = user_id === undefined ? undefined : await queries.hashOf(app.db, user_id)
  if (user_id === undefined || stored === undefined) return wasteTime(password)
  if (!(await verifyPassword(stored, password))) return false
  if (isOutdated(stored)) {
    const hash = await hashPassword(password)
    await transaction(app, { userId: user_id }, (tx) => queries.renewHash(tx, user_id, stored, hash))
  }
  return true
}
