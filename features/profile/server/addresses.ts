import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { reauthenticationReply } from '#foundation/server/session/envelope.ts'
import { updateUser, hasFactor, isRecent, lockUser, type Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/profile/contract.ts'
import * as templates from './mails.ts'
import * as queries from './queries.ts'
import type { Address } from './queries.ts'
import { sendVerification } from './verification.ts'

export const list = handler(contract.listAddresses, async ({ app, actor }) => {
  return listed(await queries.addressesOf(app.db, actor.user_id))
})

/**
 * Adds an address. An address of another account is accepted like any other: the answer must not reveal who is a customer here, and
 * only its owner can prove it. Refuses an account with a second factor, because a proven address resets passwords, and an account
 * without a proven address (rule 37).
 */
export const add = handler(contract.addAddress, async ({ app, actor, body: { email }, caller }) => {
  if (!actor) return { status: 409, body: { status: 409 } }
  // No proof helps here, so none is asked for.
  if (hasFactor(actor.factors)) throw badRequest('add_email_blocked', 'email')
  if (needsProof(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  const { user_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    const { factors, addresses } = await hold(tx, user_id)
    if (hasFactor(factors)) throw badRequest('add_email_blocked', 'email')
    if (addresses.some((address) => address.email === email)) throw badRequest('duplicate_email', 'email')
    if (addresses.length > 0 && !addresses.some((address) => address.verified))
      throw badRequest('unverified_email', 'email')
    const address = await queries.insertAddress(tx, { user_id, email, is_primary: false, verified: false })
    await sendVerification(app, tx, address, caller)
    await notify(app, tx, { template: templates.addressAdded, to: actor.email, address, caller })
    await settle(app, tx, { address, change: 'added', caller })
    return listed([...addresses, address])
  })
})

/** Sends the confirmation again; 403 within 180 s of the last one. */
export const resend = handler(
  contract.resendConfirmation,
  async ({ app, actor, caller, body: { email } }) => {
    if (needsProof(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
    return transaction(app, { userId: actor.user_id }, async (tx) => {
      const address = find((await hold(tx, actor.user_id)).addresses, email)
      if (address.verified || (await sendVerification(app, tx, address, caller)))
        return { status: 200, body: { status: 200 } } as const
      return { status: 403, body: { status: 403 } } as const
    })
  },
)

/** Makes an address the primary one: it receives the mails and is the login name. The previous address is notified. */
export const makePrimary = handler(contract.makePrimary, async ({ app, actor, body: { email }, caller }) => {
  if (needsProof(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  const { user_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    const { addresses } = await hold(tx, user_id)
    const address = find(addresses, email)
    if (address.is_primary) return listed(addresses)
    if (!address.verified && addresses.some((other) => other.verified))
      throw badRequest('unverified_primary_email', 'email')
    await queries.setPrimary(tx, address)
    await updateUser(tx, user_id, { email })
    const before = addresses.find((other) => other.is_primary)
    if (before)
      await notify(app, tx, { template: templates.primaryChanged, to: before.email, address, caller })
    await settle(app, tx, { address, change: 'primary', caller })
    return listed(await queries.addressesOf(tx, user_id))
  })
})

export const remove = handler(contract.removeAddress, async ({ app, actor, body: { email }, caller }) => {
  if (needsProof(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  const { user_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    const { addresses } = await hold(tx, user_id)
    const address = find(addresses, email)
    if (address.is_primary || addresses.length === 1) throw badRequest('cannot_remove_primary_email', 'email')
    await queries.removeAddress(tx, address.id)
    // An unproven address may belong to a stranger, who must not learn of this account.
    const told = new Set([actor.email, ...(address.verified ? [email] : [])])
    for (const to of told) await notify(app, tx, { template: templates.addressRemoved, to, address, caller })
    await settle(app, tx, { address, change: 'removed', caller })
    return listed(addresses.filter((other) => other !== address))
  })
})

/**
 * True if this session must prove the user's identity again (rule 38). The attack is an hour at a screen left
 * open: add an address, prove it, make it the primary one, and reset the password through it.
 */
export const needsProof = (app: App, actor: Actor): boolean =>
  app.config.reauthenticateForAddresses && !isRecent(app, actor)

/** Locks the account, so that two changes of its addresses take turns and the later one sees the result of the earlier one. */
async function hold(tx: Tx, user_id: string) {
  const user = await lockUser(tx, user_id)
  if (!user?.is_active) throw new HttpError(401, [{ code: 'not_authenticated' }])
  return { factors: user.factors, addresses: await queries.addressesOf(tx, user_id) }
}

function find(addresses: readonly Address[], email: string): Address {
  const address = addresses.find((candidate) => candidate.email === email)
  if (!address) throw badRequest('unknown_email', 'email')
  return address
}

type From = { ip: string; user_agent: string }

async function notify(
  app: App,
  tx: Tx,
  {
    template,
    to,
    address,
    caller,
  }: { template: typeof templates.addressAdded; to: string; address: Address; caller: From },
): Promise<void> {
  const user = await lockUser(tx, address.user_id)
  const values = { email: address.email, at: new Date(), ip: caller.ip, user_agent: caller.user_agent }
  await enqueueMail(app, tx, {
    user_id: address.user_id,
    to,
    locale: user?.locale ?? 'en',
    template,
    values,
  })
}

async function settle(
  app: App,
  tx: Tx,
  { address, change, caller }: { address: Address; change: contract.AddressChange; caller: From },
): Promise<void> {
  const { id, user_id } = address
  await emit(app, tx, contract.addressChanged, { user_id, change })
  const { ip, user_agent } = caller
  const detail = { address_id: String(id) }
  await recordAction(tx, { user_id, act: `address.${change}`, ip, user_agent, detail })
  await publish(tx, user_id, { type: contract.PROFILE_CHANGED })
}

function listed(addresses: readonly Address[]) {
  const data = addresses.map(({ email, verified, is_primary }) => ({ email, verified, primary: is_primary }))
  return { status: 200, body: { status: 200, data } } as const
}
