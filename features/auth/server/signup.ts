import * as z from 'zod/mini'
import type { ReplyOf } from '#foundation/contract.ts'
import { recordAct } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { Judge } from '#foundation/server/http/parse.ts'
import { refuse, type Refusal } from '#foundation/server/http/problem.ts'
import type { Call } from '#foundation/server/http/serve.ts'
import { createUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/auth/contract.ts'
import {
  addAddress,
  createProfile,
  findAccountByEmail,
  mayMail,
  sendVerification,
} from '#features/profile/server/profile.ts'
import {
  hashPassword,
  judgePassword,
  setPassword,
  type PasswordHash,
} from '#features/security/server/security.ts'
import { complete, wait, type Entered } from './enter.ts'
import { sendAccountExists } from './letters.ts'
import { takeTurn } from './queries.ts'

type Signup = Call<typeof contract.signup>

/** What the schema cannot tell of a sign-up: a poor password, and a repetition that differs (D2, D3, row V-02). */
export const judgeSignup: Judge = ({ config }, body) => {
  const password = z.safeParse(contract.signup.body.shape.password, body['password'])
  if (!password.success) return []
  const email = z.safeParse(contract.signup.body.shape.email, body['email'])
  const personal = email.success ? [email.data] : []
  const faults = judgePassword(password.data, personal, config.operator.name)
  const refusals: Refusal[] = faults.map((code) => ({ code, param: 'password' }))
  const repeated = body['repeat_password']
  if (typeof repeated === 'string' && repeated.trim() !== password.data)
    refusals.push({ code: 'password_mismatch', param: 'repeat_password' })
  return refusals
}

/**
 * Makes an account (row A-04). With mandatory verification a taken address gets the very same answer, after the same
 * work, and its owner a mail: the attack is to find out who has an account here.
 */
export async function signup(call: Signup): Promise<ReplyOf<typeof contract.signup>> {
  const { app, actor, body } = call
  if (actor) return { status: 409, body: { status: 409 } }
  if (!app.config.signupOpen) return { status: 403, body: { status: 403 } }
  const hash = await hashPassword(body.password)
  return transaction(app, 'system', async (tx) => {
    await takeTurn(tx, body.email)
    const taken = (await findAccountByEmail(tx, body.email)) !== undefined
    return taken ? pretend(call, tx) : createAccount(call, tx, hash)
  })
}

async function pretend({ app, caller, body: { email } }: Signup, tx: Tx): Promise<Entered> {
  if (app.config.emailVerification !== 'mandatory') throw refuse('email_taken', 'email')
  if (await mayMail(app, tx, email)) await sendAccountExists(app, tx, { email, locale: caller.locale })
  return wait(app, tx, caller, { user_id: null, stage: 'verify_email', email, methods: [], factors: [] })
}

async function createAccount(call: Signup, tx: Tx, hash: PasswordHash): Promise<Entered> {
  const { app, caller, body } = call
  const { ip, user_agent, locale } = caller
  const { email } = body
  const user_id = await createUser(tx, { email, locale })
  await createProfile(tx, user_id)
  const address = await addAddress(tx, { user_id, email, is_primary: true, verified: false })
  await setPassword(app, tx, user_id, hash)
  await recordAct(tx, { user_id, act: 'account.created', ip, user_agent })
  const { emailVerification } = app.config
  if (emailVerification !== 'none') await sendVerification(app, tx, address)
  if (emailVerification === 'mandatory') {
    return wait(app, tx, caller, { user_id, stage: 'verify_email', email, methods: [], factors: [] })
  }
  return complete(app, tx, caller, { user_id, methods: [] })
}
