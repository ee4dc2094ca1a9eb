import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { authenticatedReply, unauthenticatedReply } from '#foundation/server/session/envelope.ts'
import { endSession, consumePending } from '#foundation/server/session/session.ts'
import * as contract from '#features/auth/contract.ts'

export { sendResetLink, setPasswordByKey, ownerOfKey } from './password-reset.ts'
export { insertResetKey } from './queries.ts'

/** The sign-in methods and options of this installation. */
export const getConfig = handler(contract.getConfig, async ({ app }) => {
  const { signupOpen, passkeys } = app.config
  const account = {
    authentication_method: 'email' as const,
    login_methods: ['email' as const],
    is_open_for_signup: signupOpen,
    email_verification_by_code_enabled: false,
    login_by_code_enabled: false,
    password_reset_by_code_enabled: false,
  }
  const supported_types = [
    'recovery_codes' as const,
    'totp' as const,
    ...(passkeys ? ['webauthn' as const] : []),
  ]
  const mfa = { supported_types, passkey_login_enabled: passkeys }
  return {
    status: 200,
    body: { status: 200, data: { account, mfa, usersessions: { track_activity: false } } },
  }
})

/** The signed-in user, or the pending step of a login. Issues no tokens. */
export const getSession = handler(contract.getSession, async ({ app, actor, pending }) => {
  if (actor) return { status: 200, body: authenticatedReply(actor) }
  return { status: 401, body: unauthenticatedReply(app, pending) }
})

/** Ends the session, or the half-finished login, and all that was issued with it. Its success is a 401 (row A-07). */
export const signOut = handler(contract.signOut, async ({ app, caller, actor, pending }) => {
  if (actor) {
    const { ip, user_agent } = caller
    await transaction(app, { userId: actor.user_id }, async (tx) => {
      await endSession(tx, actor)
      await recordAction(tx, { user_id: actor.user_id, act: 'session.ended', ip, user_agent })
    })
  }
  if (pending) await transaction(app, 'system', (tx) => consumePending(tx, pending))
  return { status: 401, body: unauthenticatedReply(app) }
})
