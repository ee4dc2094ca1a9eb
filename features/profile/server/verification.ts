import { PROFILE_CHANGED } from '#features/profile/contract.ts'
import { isIPv6 } from 'node:net'
import { errorCode } from '#foundation/server/error-code.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'
import { count, networkOf, type Attempt, type LimitName } from '#foundation/server/limits/limits.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { updateUser, findUser, lockUser } from '#foundation/server/session/session.ts'
import * as queries from './claim-queries.ts'
import { claimAddress } from './claims.ts'
import { confirmEmail } from './mails.ts'
import { addressesOf, setPrimary, type Address } from './queries.ts'

/**
 * Queues the mail with the link that proves a claim; false if there were too many (`mayMail`). `invite` is the key of the invitation that led
 * to the sign-up: the link leads on to it, in whichever browser it is opened.
 */
export async function sendVerification(
  app: App,
  tx: Tx,
  claim: Address,
  { ip, invite }: { ip: string; invite?: string | undefined },
): Promise<boolean> {
  const { id, user_id, email } = claim
  const user = await findUser(tx, user_id)
  if (!user || !(await mayMail(app, tx, { cause: `claim ${id}`, email, ip }))) return false
  const key = randomToken()
  await queries.insertKey(app, tx, id, hashToken(key))
  await queries.renewClaim(tx, id)
  await enqueueMail(app, tx, {
    user_id,
    to: email,
    locale: user.locale,
    template: confirmEmail,
    values: { email, key, account: user.email, ...(invite === undefined ? {} : { invite }) },
  })
  return true
}

/**
 * True if an address may get another mail that anybody can cause by naming it. Counted by cause (a claim, or a sign-up that is in vain), so
 * that a stranger who names the same address does not use up its owner's mail; and by network and mailbox, so that nobody is flooded. The
 * count is part of the transaction that queues the mail, so that a mail that is rolled back does not count.
 */
export async function mayMail(
  app: App,
  tx: Tx,
  { cause, email, ip }: { cause: string; email: string; ip: string },
): Promise<boolean> {
  const limits: [LimitName, string][] = [
    ['verification_mail', cause],
    ['verification_mail_network', `${email} ${isIPv6(ip) ? networkOf(ip) : ip}`],
    ['verification_mailbox', email],
  ]
  const counted: Attempt[] = []
  for (const [limit, key] of limits) {
    const attempt = await count(app, tx, limit, key)
    counted.push(attempt)
    if (attempt.allowed) continue
    for (const one of counted.filter(({ allowed }) => allowed)) await one.release()
    return false
  }
  return true
}

async function claimOf(db: App['db'], key: string): Promise<Address> {
  const address = await queries.addressByKey(db, hashToken(key))
  if (!address) throw badRequest('invalid_or_expired_key', 'key')
  return address
}

/** The address that a key would prove; changes nothing. Throws 400 `invalid_or_expired_key` or `email_taken` at `key`. */
export async function inspectVerificationKey(db: App['db'], key: string): Promise<Address> {
  const address = await claimOf(db, key)
  const owner = await queries.findAccountByProvenEmail(db, address.email)
  if (owner && owner.user_id !== address.user_id) throw badRequest('email_taken', 'key')
  return address
}

/**
 * Proves an address by its key. One of many concurrent tries succeeds; throws 400 `invalid_or_expired_key`
 * or, if another account has proven it, `email_taken`, at `key`. All other claims to the address end (rule
 * 37).
 */
export async function verifyAddress(app: App, tx: Tx, key: string): Promise<Address> {
  // The owner of an address that is being proven elsewhere is known only once the address is locked.
  const { email } = await claimOf(tx, key)
  await queries.lockAddress(tx, email)
  const claim = await inspectVerificationKey(tx, key)
  const proven = await prove(app, tx, claim)
  if (!proven) throw badRequest('invalid_or_expired_key', 'key')
  return proven
}

/**
 * Proves the address of an account that has proven none, for its owner has just followed a link that was
 * mailed there. Throws 400 `email_taken` at `key` if another account was faster.
 */
export async function proveByReset(
  app: App,
  tx: Tx,
  { user_id, email }: { user_id: string; email: string },
): Promise<void> {
  await queries.lockAddress(tx, email)
  const addresses = await addressesOf(tx, user_id)
  const claim = addresses.find((address) => address.email === email)
  if (claim && !addresses.some((address) => address.verified)) await prove(app, tx, claim)
}

/**
 * Marks the address of a claim as proven, ends all other claims to it, and makes it the primary address if the account has none.
 * Returns undefined if another request was faster. The caller has locked the address.
 */
export async function prove(app: App, tx: Tx, claim: Address): Promise<Address | undefined> {
  const { id, user_id, email } = claim
  await lockUser(tx, user_id)
  if (!(await isMarked(tx, id))) return undefined
  await queries.deleteKeysOf(tx, id)
  await claimAddress(app, tx, email, user_id)
  const others = await addressesOf(tx, user_id)
  const is_primary = claim.is_primary || !others.some((other) => other.is_primary)
  if (is_primary && !claim.is_primary) {
    await setPrimary(tx, claim)
    await updateUser(tx, user_id, { email })
  }
  await recordAction(tx, { user_id, act: 'address.verified', detail: { address_id: String(id) } })
  await publish(tx, user_id, { type: PROFILE_CHANGED })
  return { ...claim, verified: true, is_primary }
}

const UNIQUE_VIOLATION = '23505'

/**
 * True if this call marked the address. A unique index lets only one account prove it. The transaction cannot go on after a refusal
 * by the index, so this throws 400 `email_taken` then.
 */
async function isMarked(tx: Tx, id: bigint): Promise<boolean> {
  try {
    return await queries.markVerified(tx, id)
  } catch (error) {
    if (errorCode(error) === UNIQUE_VIOLATION) throw badRequest('email_taken', 'key')
    throw error
  }
}
