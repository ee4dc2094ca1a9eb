import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { reauthenticationReply } from '#foundation/server/session/envelope.ts'
import { addMethod, isRecent, saveStepState, lockUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/security/contract.ts'
import { hasUnverifiedAddress } from '#features/profile/server/profile.ts'
import { countCodeAttempt } from './attempts.ts'
import { fits, openSecret, sealSecret } from './codes.ts'
import { settleFactors, toTotpReply } from './factors.ts'
import * as queries from './factor-queries.ts'
import { totpOff, totpOn, notice } from './mails.ts'
import { newSecret } from './one-time-codes.ts'

/** The state of the authenticator app. While it is off, each call makes another secret, and only the latest works. */
export const getTotp = handler(contract.getTotp, async ({ app, actor }) => {
  const { user_id, session_id, email } = actor
  const totp = await queries.totpOf(app.db, user_id)
  if (totp) return { status: 200, body: { status: 200, data: toTotpReply(totp) } }
  // The attack: somebody signs up with another person's address, and adds a second factor before the owner of the address comes.
  if (await hasUnverifiedAddress(app.db, user_id)) throw new HttpError(409, [{ code: 'unverified_email' }])
  const secret = newSecret()
  await transaction(app, { userId: user_id }, (tx) =>
    saveStepState(tx, session_id, { totp_secret: sealSecret(app, user_id, secret) }),
  )
  const query = new URLSearchParams({ secret, issuer: app.config.operator.name })
  // Authenticator apps read a + as a plus sign, not as a blank.
  const totp_url = `otpauth://totp/${encodeURIComponent(email)}?${query.toString().replaceAll('+', '%20')}`
  return { status: 404, body: { status: 404, meta: { secret, totp_url } } }
})

/** Switches the app on with its first code, which does not count as used, because a login may follow within seconds. */
export const activateTotp = handler(contract.activateTotp, async ({ app, caller, actor, body }) => {
  const { user_id, session_id, scratch } = actor
  if (await queries.totpOf(app.db, user_id)) return { status: 409, body: { status: 409 } }
  if (await hasUnverifiedAddress(app.db, user_id)) throw badRequest('unverified_email', 'code')
  const sealed = scratch['totp_secret']
  // D22: the attack is an intruder at a session left open, who guesses codes of the secret that its owner is scanning.
  const attempt = await countCodeAttempt(app, caller, user_id)
  if (typeof sealed !== 'string' || !fits(app, openSecret(app, user_id, sealed), body.code)) {
    await attempt.wrong('code.refused')
    throw badRequest('incorrect_code', 'code')
  }
  await attempt.release()
  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  return transaction(app, { userId: user_id }, async (tx) => {
    const user = await lockUser(tx, user_id)
    // A passkey may have been added since the session was read: it asks for more than the password.
    if (await queries.totpOf(tx, user_id)) return { status: 409, body: { status: 409 } }
    const present = { ...actor, ...user }
    if (!isRecent(app, present)) return { status: 401, body: reauthenticationReply(present) }
    const totp = await queries.insertTotp(tx, user_id, sealed)
    if (!totp) return { status: 409, body: { status: 409 } }
    await saveStepState(tx, session_id, { totp_secret: null })
    // The code that activates is a proof by the factor, which now is asked for: the recovery codes are shown next.
    await addMethod(tx, session_id, { method: 'mfa', at: Date.now() / 1000, id: totp.id, type: 'totp' })
    const { generated } = await settleFactors(app, tx, user_id)
    await notice(app, tx, caller, actor, { act: 'totp.activated', letter: totpOn })
    return {
      status: 200,
      body: { status: 200, data: toTotpReply(totp), meta: { recovery_codes_generated: generated } },
    }
  })
})

/**
 * Switches the app off; nothing to do, and nothing to prove, if it is off. The proof must be a code or a
 * passkey (D26): the attack is an intruder who has learned the password, at a session that was left open.
 */
export const deactivateTotp = handler(contract.deactivateTotp, async ({ app, caller, actor }) => {
  const { user_id } = actor
  if (!(await queries.totpOf(app.db, user_id))) return { status: 200, body: { status: 200 } }
  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  await transaction(app, { userId: user_id }, async (tx) => {
    await lockUser(tx, user_id)
    if (!(await queries.deleteTotp(tx, user_id))) return
    await settleFactors(app, tx, user_id)
    await notice(app, tx, caller, actor, { act: 'totp.deactivated', letter: totpOff })
  })
  return { status: 200, body: { status: 200 } }
})
