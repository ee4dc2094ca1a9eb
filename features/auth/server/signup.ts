import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, undone, type Tx } from '#foundation/server/database/transaction.ts'
import type { Judge } from '#foundation/server/http/parse.ts'
import { badRequest, type FieldError } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { createUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/auth/contract.ts'
import { accept } from '#features/legal/server/legal.ts'
import {
  accountInUse,
  accountToSignIn,
  insertAddress,
  createProfile,
  findAccountByProvenEmail,
  lockAddress,
  keepVainSignup,
  sendVerification,
  vainSignupWith,
  type Address,
} from '#features/profile/server/profile.ts'
import {
  checkPassword,
  hashPassword,
  matchesHash,
  passwordText,
  judgePassword,
  setPassword,
  type PasswordHash,
} from '#features/security/server/security.ts'
import { complete, wait, type Entered } from './enter.ts'
import { pretendToWait } from './vain-signup.ts'

type Signup = Call<typeof contract.signup>

/** Checks of a sign-up that the schema cannot express: a poor password, and a repetition that differs (D2, D3, row V-02). */
const judgeSignup: Judge = ({ config }, body) => {
  const password = z.safeParse(contract.signup.body.shape.password, body['password'])
  if (!password.success) return []
  const email = z.safeParse(contract.signup.body.shape.email, body['email'])
  const personal = email.success ? [email.data] : []
  const faults = judgePassword(password.data, personal, config.operator.name)
  const refusals: FieldError[] = faults.map((code) => ({ code, param: 'password' }))
  const repeated = body['repeat_password']
  if (typeof repeated === 'string' && passwordText(repeated) !== passwordText(password.data))
    refusals.push({ code: 'password_mismatch', param: 'repeat_password' })
  return refusals
}

/**
 * Makes an account (row A-04). With mandatory verification an address that is already proven gets the very
 * same answer, after the same work, and its owner gets a mail: the attack is to find out who has an account
 * here. An address that is only claimed is free (rule 37); the first to prove it gets it.
 */
export const signup = handler(
  contract.signup,
  async (call) => {
    const { app, actor, body } = call
    if (actor) return { status: 409, body: { status: 409 } }
    const invite = (await isInvited(app, body)) ? body.invitation : undefined
    if (!app.config.signupOpen && invite === undefined) return { status: 403, body: { status: 403 } }
    const hash = await hashPassword(body.password)
    for (;;) {
      const earlier = await earlierSignup(app, body)
      const answer = await transaction(app, 'system', async (tx) => {
        await lockAddress(tx, body.email)
        const owned = await findAccountByProvenEmail(tx, body.email)
        if (owned) return pretend(call, tx, { owned, hash, earlier })
        if (app.config.emailVerification !== 'mandatory' && (await accountInUse(tx, body.email)))
          throw badRequest('email_taken', 'email')
        const claim = await accountToSignIn(tx, body.email)
        // An account that has paid is opened by the link in its mail alone, as one with a proven address is by its password.
        if (claim?.held) return pretend(call, tx, { owned: claim, hash, earlier })
        // A double click: another request made this account after we looked.
        if (claim?.user_id !== earlier.user_id) return undefined
        return claim && earlier.isOwn ? goOn(call, tx, claim, invite) : createAccount(call, tx, hash, invite)
      })
      if (answer) return answer
    }
  },
  judgeSignup,
)

/** True if the key was mailed to this very address; a key that was mailed to another address opens nothing. */
async function isInvited(app: App, { email, invitation }: Signup['body']): Promise<boolean> {
  return invitation !== undefined && ((await app.isInvited?.(app.db, email, invitation)) ?? false)
}

/**
 * Returns the last sign-up with this address that nobody has confirmed, real or in vain, and whether the caller made it: a form sent twice
 * has the same password. Does the same work if there is no such sign-up.
 */
async function earlierSignup(app: App, { email, password }: Signup['body']): Promise<Earlier> {
  const claim = await accountToSignIn(app.db, email)
  if (claim?.verified || claim?.held) {
    const vain = await vainSignupWith(app.db, claim.id)
    return { vain_id: vain?.id, isOwn: await matchesHash(vain?.hash, password) }
  }
  return { user_id: claim?.user_id, isOwn: await checkPassword(app, claim?.user_id, password) }
}

type Earlier = { user_id?: string | undefined; vain_id?: bigint | undefined; isOwn: boolean }

type Invite = string | undefined

async function goOn(call: Signup, tx: Tx, claim: Address, invite: Invite): Promise<Entered> {
  const { app, caller, body } = call
  const { user_id, email } = claim
  await accept(app, tx, { user_id, caller, version: body.terms, context: 'sign_up' })
  await sendVerification(app, tx, claim, { ip: caller.ip, invite })
  return wait(app, tx, caller, { user_id, stage: 'verify_email', email, methods: [], factors: [] })
}

type Pretence = { owned: Address; hash: PasswordHash; earlier: Earlier }

/** Answers a sign-up with a proven address. Undefined if another request with it came between, as for a double click on a free one. */
async function pretend(call: Signup, tx: Tx, { owned, hash, earlier }: Pretence) {
  const { app, caller, body } = call
  const { email } = body
  if (app.config.emailVerification !== 'mandatory') throw badRequest('email_taken', 'email')
  const vain = await vainSignupWith(tx, owned.id)
  if (vain?.id !== earlier.vain_id) return undefined
  if (vain && earlier.isOwn) return pretendToWait(app, tx, caller, { id: vain.id, email })
  await undone(tx, () => insertAccount(call, tx, hash))
  return pretendToWait(app, tx, caller, { id: await keepVainSignup(tx, owned.id, hash), email })
}

async function createAccount(call: Signup, tx: Tx, hash: PasswordHash, invite: Invite): Promise<Entered> {
  const { app, caller, body } = call
  const { user_id, address } = await insertAccount(call, tx, hash)
  const { emailVerification } = app.config
  if (emailVerification !== 'none') await sendVerification(app, tx, address, { ip: caller.ip, invite })
  if (emailVerification === 'mandatory') {
    const { email } = body
    return wait(app, tx, caller, { user_id, stage: 'verify_email', email, methods: [], factors: [] })
  }
  return complete(app, tx, caller, { user_id, methods: [] })
}

async function insertAccount({ app, caller, body }: Signup, tx: Tx, hash: PasswordHash) {
  const { ip, user_agent, locale } = caller
  const { email } = body
  const user_id = await createUser(tx, { email, locale })
  await createProfile(tx, user_id)
  const address = await insertAddress(tx, { user_id, email, is_primary: true, verified: false })
  await setPassword(app, tx, user_id, hash)
  await recordAction(tx, { user_id, act: 'account.created', ip, user_agent })
  await accept(app, tx, { user_id, caller, version: body.terms, context: 'sign_up' })
  return { user_id, address }
}
