import type * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { isNewDevice } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { authenticatedReply, unauthenticatedReply } from '#foundation/server/session/envelope.ts'
import {
  findUser,
  hasFactor,
  lockUser,
  startPending,
  startSession,
  consumePending,
  type PendingLogin,
} from '#foundation/server/session/session.ts'
import type { authenticated, AuthenticationMethod, unauthenticated } from '#foundation/session-contract.ts'
import { sendVerification, type Address } from '#features/profile/server/profile.ts'
import { ACTIVITY_ADDED } from '#features/security/contract.ts'
import { sendNewDevice } from './mails.ts'

/** A person who has proved their identity. */
type Entry = {
  user_id: string
  methods: AuthenticationMethod[]
  /** The address used to sign in, if any. */
  address?: Address
  /** True after a sign-in by passkey alone, which counts as two factors. */
  secondStepDone?: boolean
}

export type Entered =
  | { status: 200; body: z.input<typeof authenticated> }
  | { status: 401; body: z.input<typeof unauthenticated> }

/**
 * Signs a user in, or takes them to the next step: first the address must be proven, then the second factor
 * (auth contract section 2). The answer for an account that is deleted or locked has no next step.
 */
export async function enter(app: App, tx: Tx, caller: Caller, entry: Entry): Promise<Entered> {
  const { user_id, methods, address } = entry
  const user = await lockUser(tx, user_id)
  if (!user?.is_active || user.access === 'locked') return wait(app, tx, caller, nobody)
  const pending = { user_id, methods, email: address?.email ?? null, factors: user.factors }
  if (address && !address.verified && app.config.emailVerification === 'mandatory') {
    await sendVerification(app, tx, address, caller)
    return wait(app, tx, caller, { ...pending, stage: 'verify_email' })
  }
  if (hasFactor(user.factors) && !entry.secondStepDone) {
    return wait(app, tx, caller, { ...pending, stage: 'mfa_authenticate' })
  }
  if (caller.pending) await consumePending(tx, caller.pending)
  return complete(app, tx, caller, { user_id, methods })
}

type Waiting = Pick<PendingLogin, 'user_id' | 'stage' | 'email' | 'methods' | 'factors'> & {
  scratch?: Record<string, unknown>
}

const nobody: Waiting = { user_id: null, stage: 'none', email: null, methods: [], factors: [] }

/** Returns the 401 that names the next step. */
export async function wait(
  app: App,
  tx: Tx,
  caller: Caller,
  { factors, ...pending }: Waiting,
): Promise<Entered> {
  const token = await startPending(tx, caller.pending, pending)
  return { status: 401, body: unauthenticatedReply(app, { stage: pending.stage, factors }, token) }
}

/**
 * The last transition to "signed in": a new session begins. Outstanding reset links stay (D28): the attack is a stranger who knows the
 * password, and hinders its owner's recovery for ever by signing in again and again.
 */
export async function complete(
  app: App,
  tx: Tx,
  { ip, user_agent, is_local }: Caller,
  { user_id, methods }: Pick<Entry, 'user_id' | 'methods'>,
): Promise<Entered> {
  const user = await findUser(tx, user_id)
  // Rule 39. The attack is the password that the README gives for the example staff, tried on every server that runs this product.
  if (user?.is_example && user.is_staff && !is_local && !app.config.isDemoPublic)
    throw badRequest('example_staff_elsewhere')
  const isNew = await isNewDevice(tx, { user_id, ip, user_agent })
  const { actor, ...issued } = await startSession(app, tx, { user_id, methods, from: { ip, user_agent } })
  await publish(tx, user_id, { type: ACTIVITY_ADDED })
  if (isNew) await sendNewDevice(app, tx, actor, { ip, user_agent })
  return { status: 200, body: authenticatedReply(actor, issued) }
}
