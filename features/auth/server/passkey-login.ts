import * as z from 'zod/mini'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { unauthenticatedReply } from '#foundation/server/session/envelope.ts'
import {
  savePendingStepState,
  lockUser,
  startPending,
  consumePending,
  type PendingLogin,
} from '#foundation/server/session/session.ts'
import type { AuthenticationMethod } from '#foundation/session-contract.ts'
import * as contract from '#features/auth/contract.ts'
import { passkeyRequest, usePasskey, type UsedPasskey } from '#features/security/server/security.ts'
import { complete, enter } from './enter.ts'

const off = { status: 404, body: { status: 404 } } as const

/** Answers with a request for one of the passkeys of the user whose password was right. */
export const getPasskeyStep = handler(contract.getPasskeyStep, async ({ app, pending }) => {
  if (!app.config.passkeys) return off
  const { publicKey, challenge } = await passkeyRequest(app, must(pending.user_id))
  await transaction(app, 'system', (tx) => savePendingStepState(tx, pending, { step: keep(challenge) }))
  return { status: 200, body: { status: 200, data: { request_options: { publicKey } } } }
})

/** Completes the sign-in by a passkey as the second step. */
export const authenticateByPasskey = handler(
  contract.authenticateByPasskey,
  async ({ app, caller, pending, body }) => {
    if (!app.config.passkeys) return off
    const user_id = must(pending.user_id)
    const challenge = kept(pending, 'step')
    return transaction(app, { userId: user_id }, async (tx) => {
      await lockUser(tx, user_id)
      if (!(await consumePending(tx, pending))) return { status: 401, body: unauthenticatedReply(app) }
      const used =
        challenge && (await usePasskey(app, tx, { credential: body.credential, challenge, user_id }))
      if (!used) throw badRequest('incorrect_code', 'credential')
      return complete(app, tx, caller, { user_id, methods: [...pending.methods, methodOf(used)] })
    })
  },
)

/** Answers with a request for any passkey that may sign in alone. The challenge is kept with an anonymous token. */
export const getPasskeyLogin = handler(contract.getPasskeyLogin, async ({ app, actor, pending }) => {
  if (!app.config.passkeys) return off
  if (actor) return { status: 409, body: { status: 409 } }
  const { publicKey, challenge } = await passkeyRequest(app)
  const scratch = { login: keep(challenge) }
  const session_token = await transaction(app, 'system', async (tx) => {
    if (!pending) {
      return startPending(tx, undefined, { user_id: null, stage: 'none', email: null, methods: [], scratch })
    }
    await savePendingStepState(tx, pending, scratch)
    return undefined
  })
  const meta = { is_authenticated: false, ...(session_token ? { session_token } : {}) }
  return { status: 200, body: { status: 200, data: { request_options: { publicKey } }, meta } }
})

/** Signs in by passkey alone. The passkey itself has checked a finger or a PIN, so there is no second step. */
export const loginByPasskey = handler(
  contract.loginByPasskey,
  async ({ app, caller, actor, pending, body }) => {
    if (!app.config.passkeys) return off
    if (actor) return { status: 409, body: { status: 409 } }
    const challenge = pending && kept(pending, 'login')
    if (!challenge) throw badRequest('incorrect_code', 'credential')
    return transaction(app, 'system', async (tx) => {
      // The token is consumed, so that the challenge works once; a wrong answer rolls this back.
      const isOurs = await consumePending(tx, pending)
      const used = isOurs && (await usePasskey(app, tx, { credential: body.credential, challenge }))
      if (!used) throw badRequest('incorrect_code', 'credential')
      const { pending: _, ...rest } = caller
      return enter(app, tx, rest, { user_id: used.user_id, methods: [methodOf(used)], secondStepDone: true })
    })
  },
)

const challenge_s = 600
const keptChallenge = z.object({ challenge: z.string(), until: z.number() })

const keep = (challenge: string): z.infer<typeof keptChallenge> => ({
  challenge,
  until: Date.now() / 1000 + challenge_s,
})

function kept({ scratch }: PendingLogin, what: 'step' | 'login'): string | undefined {
  const found = z.safeParse(keptChallenge, scratch[what])
  return found.success && found.data.until > Date.now() / 1000 ? found.data.challenge : undefined
}

const methodOf = ({ id, type, passwordless }: UsedPasskey): AuthenticationMethod => ({
  method: 'mfa',
  at: Date.now() / 1000,
  id,
  type,
  ...(passwordless ? { passwordless } : {}),
})
