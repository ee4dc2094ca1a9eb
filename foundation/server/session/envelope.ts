import type * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import type { authenticated, Factor, gone, unauthenticated, user } from '#foundation/session-contract.ts'
import { requiredProof } from './proofs.ts'
import type { UserRow } from './user-queries.ts'
import type { Actor, IssuedTokens, PendingLogin } from './session.ts'

type Unauthenticated = z.input<typeof unauthenticated>
type Flow = { id: string; is_pending?: boolean; types?: Factor[] }

const userOf = ({ user_id, ...actor }: Actor) => userReply({ id: user_id, ...actor })

/** An account as the account calls show it. */
export const userReply = ({
  id,
  email,
  has_password,
}: Pick<UserRow, 'id' | 'email' | 'has_password'>): z.input<typeof user> => ({
  id,
  display: email,
  email,
  has_usable_password: has_password,
})

/** The answer A200 (auth contract section 2): signed in, with the tokens that this answer issues, if any. */
export function authenticatedReply(actor: Actor, issued?: IssuedTokens): z.input<typeof authenticated> {
  const tokens = issued && { session_token: issued.session_token, access_token: issued.access_token }
  return {
    status: 200,
    data: { user: userOf(actor), methods: actor.methods },
    meta: { is_authenticated: true, ...tokens },
  }
}

/** The answer U401 (nobody is signed in), or P401 if a step is pending. `session_token` is set if this answer starts the step. */
export function unauthenticatedReply(
  app: App,
  pending?: Pick<PendingLogin, 'stage' | 'factors'>,
  session_token?: string,
): Unauthenticated {
  const meta = { is_authenticated: false, ...(session_token ? { session_token } : {}) }
  return { status: 401, data: { flows: flowsOf(app, pending) }, meta }
}

/** The answer G410: the sent session token is dead. It has the body of U401. */
export const goneReply = (app: App): z.input<typeof gone> => ({
  status: 410,
  data: { flows: flowsOf(app) },
  meta: { is_authenticated: false },
})

/**
 * The answer R401: signed in, but must prove it again. `reauthenticate` comes first: clients take the first flow. It is left out where the
 * account has a factor, because the password alone is not enough then (D26).
 */
export function reauthenticationReply(actor: Actor): Unauthenticated {
  const flows: Flow[] = []
  if (actor.has_password && requiredProof(actor) !== 'factor') flows.push({ id: 'reauthenticate' })
  if (actor.factors.length > 0) flows.push({ id: 'mfa_reauthenticate', types: inOrder(actor.factors) })
  return {
    status: 401,
    data: { user: userOf(actor), methods: actor.methods, flows },
    meta: { is_authenticated: true },
  }
}

function flowsOf(app: App, pending?: Pick<PendingLogin, 'stage' | 'factors'>): Flow[] {
  const flows: Flow[] = [{ id: 'login' }]
  if (app.config.signupOpen) flows.push({ id: 'signup' })
  if (app.config.passkeys) flows.push({ id: 'mfa_login_webauthn' })
  if (pending?.stage === 'verify_email') flows.push({ id: 'verify_email', is_pending: true })
  if (pending?.stage === 'mfa_authenticate') {
    flows.push({ id: 'mfa_authenticate', is_pending: true, types: inOrder(pending.factors) })
  }
  return flows
}

const inOrder = (factors: readonly Factor[]): Factor[] =>
  (['recovery_codes', 'totp', 'webauthn'] as const).filter((factor) => factors.includes(factor))
