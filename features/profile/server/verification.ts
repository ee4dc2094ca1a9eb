import type { App } from '#foundation/server/app.ts'
import { recordAct } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { refuse } from '#foundation/server/http/problem.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'
import { count } from '#foundation/server/limits/limits.ts'
import { owe } from '#foundation/server/mail/outbox.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { describeUser, findUser, lockUser } from '#foundation/server/session/session.ts'
import { confirmEmail } from './letters.ts'
import * as queries from './queries.ts'
import type { Address } from './queries.ts'

/**
 * Whether an address may get another mail that anybody can cause by naming it: one in 180 s, so that nobody is
 * flooded through us. Counted in the transaction that owes the mail: without the mail nothing counts.
 */
export async function mayMail(app: App, tx: Tx, email: string): Promise<boolean> {
  const { allowed } = await count({ ...app, db: tx }, 'verification_mail', email)
  return allowed
}

/** Owes the mail with the link that proves an address; false where one went out less than 180 s ago. */
export async function sendVerification(app: App, tx: Tx, { id, user_id, email }: Address): Promise<boolean> {
  const user = await findUser({ ...app, db: tx }, user_id)
  if (!user || !(await mayMail(app, tx, email))) return false
  const key = randomToken()
  await queries.insertKey(app, tx, id, hashToken(key))
  await owe(app, tx, {
    user_id,
    to: email,
    locale: user.locale,
    letter: confirmEmail,
    values: { email, key },
  })
  return true
}

/** The address that a key would prove; changes nothing. Throws 400 `invalid_or_expired_key` or `email_taken` at `key`. */
export async function inspectVerificationKey(app: Pick<App, 'db'>, key: string): Promise<Address> {
  const address = await queries.addressByKey(app.db, hashToken(key))
  if (!address) throw refuse('invalid_or_expired_key', 'key')
  if (await queries.isVerifiedElsewhere(app.db, address)) throw refuse('email_taken', 'key')
  return address
}

/**
 * Proves an address by its key. Of many who try at once one succeeds; throws 400 `invalid_or_expired_key` or, where
 * another account has proved it, `email_taken`, at `key`. Makes it the primary address if there is none.
 */
export async function verifyAddress(app: App, tx: Tx, key: string): Promise<Address> {
  const claim = await inspectVerificationKey({ db: tx }, key)
  const { id, user_id, email } = claim
  await lockUser(tx, user_id)
  if (!(await isMarked(tx, id))) throw refuse('invalid_or_expired_key', 'key')
  await queries.deleteKeysOf(tx, id)
  const others = await queries.addressesOf(tx, user_id)
  const is_primary = claim.is_primary || !others.some((other) => other.is_primary)
  if (is_primary && !claim.is_primary) {
    await queries.setPrimary(tx, claim)
    await describeUser(tx, user_id, { email })
  }
  await recordAct(tx, { user_id, act: 'address.verified', detail: { address_id: String(id) } })
  await publish(tx, user_id, { type: 'profile.changed' })
  return { ...claim, verified: true, is_primary }
}

const UNIQUE_VIOLATION = '23505'

/** The index has the last word on who proved an address first; the transaction cannot go on after its refusal. */
async function isMarked(tx: Tx, id: bigint): Promise<boolean> {
  try {
    return await queries.markVerified(tx, id)
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) throw refuse('email_taken', 'key')
    throw error
  }
}
