import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { unauthenticatedReply } from '#foundation/server/session/envelope.ts'
import { lockUser, consumePending } from '#foundation/server/session/session.ts'
import * as contract from '#features/auth/contract.ts'
import { accountToSignIn, vainSignupWith } from '#features/profile/server/profile.ts'
import {
  checkPassword,
  countCodeAttempt,
  countPasswordAttempt,
  judged,
  matchesHash,
  passwordSetAt,
  useCode,
} from '#features/security/server/security.ts'
import { complete, enter } from './enter.ts'
import { pretendToWait } from './vain-signup.ts'

/**
 * Signs in with e-mail and password (row A-02). An unknown address, an account without a password and a wrong password
 * cost the same work and get the same answer: the attack is to find out who has an account here. After a sign-up that nobody has confirmed
 * two passwords are checked, that of an account that has proven the address, and that of the sign-up, whether there are both or not.
 */
export const login = handler(contract.login, async (call) => {
  const { app, caller, actor, body } = call
  const address = await accountToSignIn(app.db, body.email)
  const vain = address?.verified ? await vainSignupWith(app.db, address.id) : undefined
  const isUnproven = address?.verified === false
  const at = { email: body.email, user_id: address?.user_id, isUnproven }
  const attempt = await countPasswordAttempt(app, caller, at)
  return judged(attempt, 'login.refused', async () => {
    const setAt = address && (await passwordSetAt(app.db, address.user_id))
    const isRight = await checkPassword(app, address?.user_id, body.password)
    const waits = vain ?? (isUnproven && app.config.emailVerification === 'mandatory')
    const isVain = waits ? await matchesHash(vain?.hash, body.password) : false
    if (!address || !(isRight || isVain)) throw mismatch()
    await attempt.right()
    if (actor) return { status: 409, body: { status: 409 } }
    if (vain && !isRight)
      return transaction(app, 'system', (tx) =>
        pretendToWait(app, tx, caller, { id: vain.id, email: address.email }),
      )
    const { user_id, email } = address
    // As the system, because `enter` answers for an account that is switched off.
    return transaction(app, 'system', async (tx) => {
      await lockUser(tx, user_id)
      // A password that is changed while the old one is checked must not let the old one in.
      if ((await passwordSetAt(tx, user_id)) !== setAt) throw mismatch()
      const methods = [{ method: 'password' as const, at: now_s(), email }]
      return enter(app, tx, caller, { user_id, address, methods })
    })
  })
})

const mismatch = () => badRequest('email_password_mismatch', 'password')
const now_s = () => Date.now() / 1000

/** The second step (row A-03): a code of the app or a recovery code, used up in the transaction that signs in. */
export const authenticateByCode = handler(
  contract.authenticateByCode,
  async ({ app, caller, pending, body }) => {
    const user_id = must(pending.user_id)
    const attempt = await countCodeAttempt(app, caller, user_id)
    const answer = await judged(attempt, 'code.refused', () =>
      transaction(app, { userId: user_id }, async (tx) => {
        await lockUser(tx, user_id)
        // The pending step is consumed first, so that two submissions at once take turns. A wrong code rolls this back and leaves
        // the step pending.
        if (!(await consumePending(tx, pending))) return undefined
        const used = await useCode(app, tx, user_id, body.code)
        if (!used) throw badRequest('incorrect_code', 'code')
        const methods = [...pending.methods, { method: 'mfa' as const, at: now_s(), ...used }]
        return complete(app, tx, caller, { user_id, methods })
      }),
    )
    if (!answer) return { status: 401, body: unauthenticatedReply(app) }
    await attempt.right()
    return answer
  },
)
