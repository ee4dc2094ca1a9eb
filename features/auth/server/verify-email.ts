import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import {
  authenticatedReply,
  reauthenticationReply,
  unauthenticatedReply,
  userReply,
} from '#foundation/server/session/envelope.ts'
import { createdAt, findUser, startPending } from '#foundation/server/session/session.ts'
import * as contract from '#features/auth/contract.ts'
import {
  addressesOf,
  dropClaim,
  inspectVerificationKey,
  lockAddress,
  needsProof,
  sendVerification,
  verifyAddress,
} from '#features/profile/server/profile.ts'
import { tellOwner, vainOf } from './vain-signup.ts'

/** Shows the account whose address a key would confirm; changes nothing, so that a mail scanner that opens links confirms nothing. */
export const inspectVerification = handler(
  contract.inspectVerification,
  async ({ app, pending, headers }) => {
    const key = keyFrom(undefined, headers)
    const { email, user_id, is_primary } = await inspectVerificationKey(app.db, key)
    const user = await findUser(app.db, user_id)
    const meta = { is_authenticating: pending?.stage === 'verify_email' }
    const data = {
      email,
      user: userReply(must(user)),
      is_new_account: is_primary,
      account_since: (await createdAt(app.db, user_id)).getTime() / 1000,
    }
    return { status: 200, body: { status: 200, data, meta } }
  },
)

/**
 * "This was not me": the owner of the mailbox ends another person's claim to it, and with it the account that
 * was signed up with it. No rightful owner loses anything by it, so the key is enough.
 */
export const disownAddress = handler(contract.disownAddress, async ({ app, body, request }) => {
  const key = keyFrom(body.key, request.headers)
  await transaction(app, 'system', async (tx) => {
    const { email } = await inspectVerificationKey(tx, key)
    await lockAddress(tx, email)
    await dropClaim(app, tx, await inspectVerificationKey(tx, key))
  })
  return { status: 200, body: { status: 200 } }
})

/**
 * Confirms an address. A caller who is not signed in gets a 401, which means: confirmed, now sign in with
 * your password. A session that confirms an address of its own account must have a recent proof (D17).
 */
export const verifyEmail = handler(contract.verifyEmail, async ({ app, actor, pending, request, body }) => {
  const key = keyFrom(body.key, request.headers)
  if (actor && needsProof(app, actor)) {
    const { user_id } = await inspectVerificationKey(app.db, key)
    if (user_id === actor.user_id) return { status: 401, body: reauthenticationReply(actor) }
  }
  await transaction(app, 'system', async (tx) => {
    await verifyAddress(app, tx, key)
    if (pending?.stage === 'verify_email')
      await startPending(tx, pending, { user_id: null, stage: 'none', email: null, methods: [] })
  })
  if (actor) return { status: 200, body: authenticatedReply(actor) }
  return { status: 401, body: unauthenticatedReply(app) }
})

/**
 * Sends the confirmation of a pending sign-up again (D8). A sign-up with a taken address gets the same
 * answer: the owner of the address gets the mail that explains it.
 */
export const resendVerification = handler(contract.resendVerification, async (call) => {
  const { app, caller, pending } = call
  if (pending?.stage !== 'verify_email' || !pending.email) return { status: 409, body: { status: 409 } }
  const { user_id, email } = pending
  return transaction(app, 'system', async (tx) => {
    if (!user_id) {
      if (!(await tellOwner(app, tx, caller, { id: vainOf(pending), email }))) throw tooSoon(app)
      return { status: 200, body: { status: 200 } }
    }
    const address = (await addressesOf(tx, user_id)).find((own) => own.email === email)
    // The address was proven meanwhile by the mail that was opened elsewhere: nothing is pending any more.
    if (!address || address.verified) return { status: 409, body: { status: 409 } }
    if (!(await sendVerification(app, tx, address, caller))) throw tooSoon(app)
    return { status: 200, body: { status: 200 } }
  })
})

const tooSoon = ({ lifetimes }: App) =>
  new HttpError(429, [{ code: 'too_many_requests' }], lifetimes.verification_mail_pause_s)

/** The key from the body, or (D9) from the header. */
function keyFrom(inBody: string | undefined, headers: { [name: string]: unknown }): string {
  const header = headers['x-email-verification-key']
  const key = inBody ?? (typeof header === 'string' ? header.trim() : undefined)
  if (!key) throw badRequest('required', 'key')
  return key
}
