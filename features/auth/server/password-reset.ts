import type { App } from '#foundation/server/app.ts'
import type { Locale } from '#foundation/locale.ts'
import type { ErrorCode } from '#texts/errors.js'
import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import type { Judge } from '#foundation/server/http/parse.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'
import { count, type LimitName } from '#foundation/server/limits/limits.ts'
import { authenticatedReply, unauthenticatedReply, userReply } from '#foundation/server/session/envelope.ts'
import { endSessionsOf, findUser, lockUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/auth/contract.ts'
import {
  accountInUse,
  addressesOf,
  askForReview,
  findAccountByProvenEmail,
  personalData,
  proveByReset,
} from '#features/profile/server/profile.ts'
import {
  checkPassword,
  hashPassword,
  judgePassword,
  setPassword,
} from '#features/security/server/security.ts'
import { sendReset, sendUnknownAccount, sendWasReset } from './mails.ts'
import * as queries from './queries.ts'

/** Mails a link that sets another password (row A-05). The answer is the same for all addresses. */
export const requestReset = handler(contract.requestReset, async ({ app, caller, body: { email } }) => {
  await admit(app, 'password_request_ip', caller.ip)
  await admit(app, 'password_request', email)
  await transaction(app, 'system', async (tx) => {
    // A reset sent to a merely claimed address must not open the account to the address's real owner. The exception is an account that is
    // in use under it without proof (EMAIL_VERIFICATION): its owner proves the address by this very link.
    const account = (await findAccountByProvenEmail(tx, email)) ?? (await accountInUse(tx, email))
    const user = account && (await lockUser(tx, account.user_id))
    if (user?.is_active && user.access === 'locked') {
      // A new password would not open a locked account; a mail tells its owner how to reach the support.
      await emit(app, tx, contract.lockedOut, { user_id: user.id, email })
    } else if (user?.is_active) {
      await sendResetLink(app, tx, { user_id: user.id, email, locale: user.locale })
    } else await sendUnknownAccount(app, tx, { email, locale: caller.locale })
  })
  return { status: 200, body: { status: 200 } }
})

/** Mails the link that sets another password. */
export async function sendResetLink(
  app: App,
  tx: Tx,
  to: { user_id: string; email: string; locale: Locale },
): Promise<void> {
  const key = randomToken()
  await queries.insertResetKey(app, tx, { token_hash: hashToken(key), user_id: to.user_id })
  await sendReset(app, tx, to, key)
}

async function admit(app: App, limit: LimitName, key: string): Promise<void> {
  const { allowed, retry_after_s } = await count(app, app.db, limit, key)
  if (!allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], retry_after_s)
}

/** Shows the account whose password the key would set; changes nothing. */
export const inspectReset = handler(contract.inspectReset, async ({ app, headers }) => {
  const key = headers['x-password-reset-key']?.trim()
  if (!key) throw badRequest('required', 'key')
  const user = await ownerOfKey(app, key)
  return { status: 200, body: { status: 200, data: { user: userReply(user) } } }
})

/** Reports a missing key together with the other errors of the body. The key may be in the header instead (D9). */
const judgeReset: Judge = (_app, body, headers) =>
  body['key'] === undefined && !headers['x-password-reset-key'] ? [{ code: 'required', param: 'key' }] : []

/**
 * Sets another password with a key from a mail. Ends all sessions and half-finished logins of the account,
 * clears its count of failed logins, signs nobody in, and leaves the second factor as it is.
 */
export const resetPassword = handler(
  contract.resetPassword,
  async ({ app, caller, actor, request, body }) => {
    const key = body.key ?? request.headers['x-password-reset-key']?.toString().trim()
    if (!key) throw badRequest('required', 'key')
    await setPasswordByKey(app, { key, password: body.password, caller })
    if (actor) return { status: 200, body: authenticatedReply(actor) }
    return { status: 401, body: unauthenticatedReply(app) }
  },
  judgeReset,
)

/**
 * Sets the password of the account for which a key was mailed, and proves its address: whoever has the key reads its mails. Returns the account.
 * Throws 400 `invalid_password_reset`@key, or what is wrong with the password.
 */
export async function setPasswordByKey(
  app: App,
  { key, password, caller }: { key: string; password: string; caller: Origin },
): Promise<string> {
  const { id: user_id, locale, email, factors, has_password } = await ownerOfKey(app, key)
  await refusePoorPassword(app, user_id, password)
  const hash = await hashPassword(password)
  const addresses = await addressesOf(app.db, user_id)
  await transaction(app, 'system', async (tx) => {
    await proveByReset(app, tx, { user_id, email })
    await lockUser(tx, user_id)
    if (!(await queries.useResetKey(tx, hashToken(key)))) throw badRequest('invalid_password_reset', 'key')
    await setPassword(app, tx, user_id, hash)
    await endSessionsOf(tx, user_id)
    if (addresses.length > 1 || factors.length > 0) await askForReview(tx, user_id)
    await recordAction(tx, { user_id, act: 'password.reset', ...originOf(caller) })
    // The first password of an account that was bought replaces none.
    if (has_password) await sendWasReset(app, tx, { user_id, email, locale }, caller)
  })
  return user_id
}

/** Returns the account whose password a key sets. Throws 400 `invalid_password_reset`@key. */
export async function ownerOfKey(app: App, key: string) {
  const user_id = await queries.ownerOfResetKey(app.db, hashToken(key))
  const user = user_id && (await findUser(app.db, user_id))
  if (!user || !user.is_active || user.access === 'locked') throw badRequest('invalid_password_reset', 'key')
  return user
}

async function refusePoorPassword(app: App, user_id: string, password: string): Promise<void> {
  const codes: ErrorCode[] = judgePassword(
    password,
    await personalData(app.db, user_id),
    app.config.operator.name,
  )
  if (await checkPassword(app, user_id, password)) codes.push('same_as_current')
  if (codes.length > 0)
    throw new HttpError(
      400,
      codes.map((code) => ({ code, param: 'password' })),
    )
}
