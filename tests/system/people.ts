import { createDemoUser } from '#app/seed/seed-demo.ts'
import { anna } from '#app/seed/people.ts'
import { hashPassword } from '#features/security/server/security.ts'
import type { PasswordHash } from '#features/security/server/security.ts'
import { newSecret } from '#features/sharing/server/secret-form.ts'
import { insertToken } from '#features/sharing/server/token-queries.ts'
import { insertRobot, insertToken as insertRobotToken } from '#features/team/server/robot-queries.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { hashToken } from '#foundation/server/keys.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import {
  addMethod,
  endSession,
  setAccess as writeAccess,
  setStaffRoles,
  startPending,
  startSession,
  startView,
  updateUser,
  type AccountAccess,
} from '#foundation/server/session/session.ts'
import { anyEmail } from '#tests/harness/any-email.ts'

/** A person with an account and one session. */
export type Person = {
  user_id: string
  email: string
  session_id: bigint
  access_token: string
  refresh_token: string
  session_token: string
}

const from = { ip: '127.0.0.1', user_agent: 'tests of the whole' }

export const password = 'well-known-to-the-tests-91'
let hash: Promise<PasswordHash> | undefined

/** Makes an account with a profile, a proven address and a password, and signs it in. */
export async function signedIn(app: App, wanted: Wanted = {}): Promise<Person> {
  const { is_staff = false, email = anyEmail(), proven_s_ago = 0, factor } = wanted
  const { roles = is_staff ? (['support', 'billing'] as const) : [] } = wanted
  // Hashing is slow on purpose, so all accounts share one hash.
  const known = await (hash ??= hashPassword(password))
  return transaction(app, 'system', async (tx) => {
    const user_id = await createDemoUser(app, tx, { ...anna, email, roles }, known)
    const at = Date.now() / 1000 - proven_s_ago
    if (factor) await updateUser(tx, user_id, { factors: [factor] })
    const byFactor = factor ? [{ method: 'mfa' as const, type: factor, at }] : []
    const methods = [{ method: 'password' as const, at, email }, ...byFactor]
    const { actor, session_token, access_token } = await startSession(app, tx, { user_id, methods, from })
    return {
      user_id,
      email,
      session_id: actor.session_id,
      access_token: access_token.access,
      refresh_token: access_token.refresh,
      session_token,
    }
  })
}

type Wanted = {
  is_staff?: boolean
  roles?: readonly Role[]
  email?: string
  /** The age of all proofs of the session, in seconds. */
  proven_s_ago?: number
  factor?: 'totp'
}

/** Adds a fresh proof by password to the session, which keeps its older proofs. */
export const proveByPassword = (app: App, { session_id, email }: Person) =>
  transaction(app, 'system', (tx) =>
    addMethod(tx, session_id, { method: 'password', at: Date.now() / 1000, email }),
  )

/** Returns the token of a half-finished login: the second factor is still missing. */
export async function halfSignedIn(app: App, user_id: string, email: string): Promise<string> {
  const pending = { user_id, stage: 'mfa_authenticate' as const, email, methods: [] }
  const token = await transaction(app, 'system', (tx) => startPending(tx, undefined, pending))
  return must(token)
}

export const setStaff = (app: App, user_id: string, is_staff: boolean) =>
  transaction(app, 'system', (tx) => setStaffRoles(tx, user_id, is_staff ? ['support', 'billing'] : []))

/** Sets the access of an account but keeps its session, as if the account were locked while a sign-in is under way. */
export const setAccess = (app: App, user_id: string, access: AccountAccess) =>
  transaction(app, 'system', (tx) => writeAccess(tx, user_id, { access, message: '' }))

export const setActive = (app: App, user_id: string, is_active: boolean) =>
  transaction(app, 'system', (tx) => updateUser(tx, user_id, { is_active }))

/** Starts a view of a customer's account by a member of staff; returns its id. */
export async function startViewOf(
  app: App,
  member: Person,
  customer: Person,
  lasts_s: number,
): Promise<string> {
  const lifetimes = { ...app.lifetimes, view_s: lasts_s }
  const { user_id: member_id, session_id } = member
  const view = { member_id, session_id, customer_id: customer.user_id }
  const { id } = await transaction(app, 'system', (tx) => startView({ ...app, lifetimes }, tx, view))
  return id
}

/** Makes a token of the person's account with all rights of a helper, and returns its secret. */
export async function tokenOf(app: App, { user_id: owner_id }: Person): Promise<string> {
  const secret = newSecret()
  const terms = {
    role: 'full',
    all_hosts: true,
    needs_second_factor: false,
    may_pass_on: false,
    month_limit: null,
  } as const
  const token = { owner_id, terms, name: 'Script', token_hash: hashToken(secret), hint: '', days: 30 }
  await transaction(app, 'system', (tx) => insertToken(tx, token))
  return secret
}

/** Makes a robot with these roles, and returns the secret of its token. */
export async function robotTokenOf(
  app: App,
  roles: readonly Role[],
  { hasEnded = false } = {},
): Promise<string> {
  const secret = newSecret()
  const token = { name: 'Script', token_hash: hashToken(secret), hint: '', made_by: null, days: 30 }
  await transaction(app, 'system', async (tx) => {
    const robot_id = await insertRobot(tx, { name: 'Robot', made_by: null })
    await setStaffRoles(tx, robot_id, roles)
    await insertRobotToken(tx, { ...token, robot_id })
    if (hasEnded) await updateUser(tx, robot_id, { is_active: false })
  })
  return secret
}

export const signOut = (app: App, person: Person) =>
  transaction(app, 'system', (tx) => endSession(tx, person))

/** The tokens as headers. The SPA sends both on the account calls and the Bearer alone elsewhere. */
export const bearer = (person: Pick<Person, 'access_token'>): Record<string, string> => ({
  authorization: `Bearer ${person.access_token}`,
})
export const session = (token: string): Record<string, string> => ({ 'x-session-token': token })
