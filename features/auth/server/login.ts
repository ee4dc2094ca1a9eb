import type { ReplyOf } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { refuse } from '#foundation/server/http/problem.ts'
import type { Call } from '#foundation/server/http/serve.ts'
import { count } from '#foundation/server/limits/limits.ts'
import { unauthenticatedReply } from '#foundation/server/session/envelope.ts'
import { lockUser, takePending } from '#foundation/server/session/session.ts'
import type * as contract from '#features/auth/contract.ts'
import { findAccountByEmail } from '#features/profile/server/profile.ts'
import {
  checkPassword,
  countCodeAttempt,
  passwordSetAt,
  useCode,
} from '#features/security/server/security.ts'
import { complete, enter } from './enter.ts'

/**
 * Signs in with e-mail and password (row A-02). An unknown address, an account without a password and a wrong password
 * cost the same work and get the same answer: the attack is to find out who has an account here.
 */
export async function login(call: Call<typeof contract.login>): Promise<ReplyOf<typeof contract.login>> {
  const { app, caller, actor, body } = call
  const failure = await countFailure(app, caller.ip, body.email)
  if (!failure.allowed) throw refuse('too_many_login_attempts')
  const address = await findAccountByEmail(app.db, body.email)
  const setAt = address && (await passwordSetAt(app.db, address.user_id))
  if (!(await checkPassword(app, address?.user_id, body.password)) || !address) throw mismatch()
  await failure.giveBack()
  if (actor) return { status: 409, body: { status: 409 } }
  const { user_id, email } = address
  return transaction(app, { userId: user_id }, async (tx) => {
    await lockUser(tx, user_id)
    // A password that is changed while the old one is checked must not let the old one in.
    if ((await passwordSetAt(tx, user_id)) !== setAt) throw mismatch()
    return enter(app, tx, caller, { user_id, address, methods: [{ method: 'password', at: now_s(), email }] })
  })
}

const mismatch = () => refuse('email_password_mismatch', 'password')
const now_s = () => Date.now() / 1000

/** The second step (row A-03): a code of the app or a recovery code, used up in the transaction that signs in. */
export async function authenticateByCode({
  app,
  caller,
  pending,
  body,
}: Call<typeof contract.authenticateByCode>): Promise<ReplyOf<typeof contract.authenticateByCode>> {
  const user_id = pending.user_id!
  const attempt = await countCodeAttempt(app, caller, user_id)
  const answer = await transaction(app, { userId: user_id }, async (tx) => {
    await lockUser(tx, user_id)
    // Taking the stage first makes a double submit take turns; a wrong code rolls back and leaves it pending.
    if (!(await takePending(tx, pending))) return undefined
    const used = await useCode(app, tx, user_id, body.code)
    if (!used) throw refuse('incorrect_code', 'code')
    return complete(app, tx, caller, {
      user_id,
      methods: [...pending.methods, { method: 'mfa', at: now_s(), ...used }],
    })
  })
  if (!answer) return { status: 401, body: unauthenticatedReply(app) }
  await attempt.right()
  return answer
}

/**
 * Counts a possible failure before the check, by address of the caller and by account, so that of 200 guesses at once
 * exactly five are judged. Both are counted, also where the first has no room.
 */
async function countFailure(
  app: App,
  ip: string,
  email: string,
): Promise<{ allowed: boolean; giveBack: () => Promise<void> }> {
  const byAddress = await count(app, 'login_failure_ip', ip)
  const byAccount = await count(app, 'login_failure', email)
  return {
    allowed: byAddress.allowed && byAccount.allowed,
    // Only this attempt is given back, never the window: one own account would buy endless tries at others (D14).
    giveBack: async () => void (await Promise.all([byAddress.giveBack(), byAccount.giveBack()])),
  }
}
