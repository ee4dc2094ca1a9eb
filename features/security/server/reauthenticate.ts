import type { ReplyOf } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction, recordRefusedAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { authenticatedReply, unauthenticatedReply } from '#foundation/server/session/envelope.ts'
import { addMethod, saveStepState, consumeStepState, type Actor } from '#foundation/server/session/session.ts'
import type { AuthenticationMethod } from '#foundation/session-contract.ts'
import * as contract from '#features/security/contract.ts'
import {
  checkPassword,
  countCodeAttempt,
  countPasswordAttempt,
  judged,
  passkeyRequest,
  useCode,
  usePasskey,
} from './security.ts'

type Proven = ReplyOf<typeof contract.reauthenticate>

/**
 * Proves the identity by password. Counted with the failed logins of the account: the attack is to guess the password here, from a
 * session that was left open, and not at the login.
 */
export const byPassword = handler(contract.reauthenticate, async ({ app, caller, actor, body }) => {
  const { user_id, email } = actor
  const attempt = await countPasswordAttempt(app, caller, { email, user_id, param: 'password' })
  if (!(await checkPassword(app, user_id, body.password))) {
    await attempt.wrong('proof.refused')
    throw badRequest('incorrect_password', 'password')
  }
  await attempt.right()
  return transaction(app, { userId: actor.user_id }, (tx) =>
    prove(app, tx, caller, actor, { method: 'password', at: now_s(), reauthenticated: true }),
  )
})

/** Proves with a code, which is used up. */
export const byCode = handler(contract.reauthenticateByCode, async ({ app, caller, actor, body }) => {
  const attempt = await countCodeAttempt(app, caller, actor.user_id)
  const reply = await judged(attempt, 'code.refused', () =>
    transaction(app, { userId: actor.user_id }, async (tx) => {
      const used = await useCode(app, tx, actor.user_id, body.code)
      if (!used) throw badRequest('incorrect_code', 'code')
      return prove(app, tx, caller, actor, { method: 'mfa', at: now_s(), ...used })
    }),
  )
  await attempt.right()
  return reply
})

export const passkeyOptions = handler(contract.getPasskeyProof, async ({ app, actor }) => {
  if (!app.config.passkeys) return { status: 404, body: { status: 404 } }
  const { publicKey, challenge } = await passkeyRequest(app, actor.user_id)
  await transaction(app, { userId: actor.user_id }, (tx) =>
    saveStepState(tx, actor.session_id, { passkey_proof: challenge }),
  )
  return { status: 200, body: { status: 200, data: { request_options: { publicKey } } } }
})

/** Proves with a passkey. The challenge is taken first, so that an answer counts once. */
export const byPasskey = handler(contract.reauthenticateByPasskey, async ({ app, caller, actor, body }) => {
  if (!app.config.passkeys) return { status: 404, body: { status: 404 } }
  const { user_id, session_id } = actor
  const reply = await transaction(app, { userId: user_id }, async (tx) => {
    const challenge = await consumeStepState(tx, session_id, 'passkey_proof')
    const used =
      typeof challenge === 'string' &&
      (await usePasskey(app, tx, { credential: body.credential, challenge, user_id }))
    return used && prove(app, tx, caller, actor, { method: 'mfa', at: now_s(), id: used.id, type: used.type })
  })
  if (!reply) {
    await recordRefusedAction(app, caller, { user_id, act: 'passkey.refused' })
    throw badRequest('incorrect_code', 'credential')
  }
  return reply
})

/**
 * Adds a method to those by which the session was proven; issues no tokens. Returns the 401 of an anonymous caller if the session
 * has ended meanwhile.
 */
async function prove(
  app: App,
  tx: Tx,
  caller: Caller,
  actor: Actor,
  method: AuthenticationMethod,
): Promise<Proven> {
  const methods = await addMethod(tx, actor.session_id, method)
  if (methods.length === 0) return { status: 401, body: unauthenticatedReply(app) }
  const detail = { method: method.type ?? method.method }
  await recordAction(tx, { user_id: actor.user_id, act: 'session.proven_again', ...originOf(caller), detail })
  return { status: 200, body: authenticatedReply({ ...actor, methods }) }
}

const now_s = () => Date.now() / 1000
