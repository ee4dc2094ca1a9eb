import * as z from 'zod/mini'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { reauthenticationReply } from '#foundation/server/session/envelope.ts'
import {
  addMethod,
  isRecent,
  saveStepState,
  lockUser,
  consumeStepState,
} from '#foundation/server/session/session.ts'
import * as contract from '#features/security/contract.ts'
import { hasUnverifiedAddress } from '#features/profile/server/profile.ts'
import { toPasskeyReply, settleFactors } from './factors.ts'
import { keyAdded, keyRemoved, notice } from './mails.ts'
import * as queries from './passkey-queries.ts'
import { registrationRequest, verifyRegistration } from './webauthn.ts'

const off = { status: 404, body: { status: 404 } } as const

/** The state that the session keeps of a registration until the browser answers. */
const askedSchema = z.object({ challenge: z.string(), passwordless: z.boolean() })
type Asked = z.output<typeof askedSchema>

/** The challenge stored with a session; undefined if there is none. */
const askedOf = (kept: unknown): Asked | undefined => askedSchema.safeParse(kept).data

export const getPasskeyCreation = handler(contract.getPasskeyCreation, async ({ app, actor, query }) => {
  if (!app.config.passkeys) return off
  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  if (await hasUnverifiedAddress(app.db, actor.user_id))
    throw new HttpError(409, [{ code: 'unverified_email' }])
  const passwordless = query.passwordless !== undefined
  const { publicKey, challenge } = await registrationRequest(app, actor, passwordless)
  const asked: Asked = { challenge, passwordless }
  await transaction(app, { userId: actor.user_id }, (tx) =>
    saveStepState(tx, actor.session_id, { passkey: asked }),
  )
  return { status: 200, body: { status: 200, data: { creation_options: { publicKey } } } }
})

export const addPasskey = handler(contract.addPasskey, async ({ app, caller, actor, body }) => {
  if (!app.config.passkeys) return off
  const { user_id, session_id, scratch } = actor
  const asked = askedOf(scratch['passkey'])
  const made = asked && (await verifyRegistration(app, body.credential, asked))
  if (!made) throw badRequest('incorrect_code', 'credential')
  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  if (await hasUnverifiedAddress(app.db, user_id)) throw new HttpError(409, [{ code: 'unverified_email' }])
  const name = body.name || 'Passkey'
  return transaction(app, { userId: user_id }, async (tx) => {
    const user = await lockUser(tx, user_id)
    const taken = askedOf(await consumeStepState(tx, session_id, 'passkey'))
    if (taken?.challenge !== asked.challenge) throw badRequest('incorrect_code', 'credential')
    // A first factor may have been added since the session was read: it asks for more than the password.
    const present = { ...actor, ...user }
    if (!isRecent(app, present)) return { status: 401, body: reauthenticationReply(present) }
    const row = { ...made, user_id, name, is_passwordless: asked.passwordless }
    const passkey = await queries.insertPasskey(tx, row)
    if (!passkey) throw badRequest('incorrect_code', 'credential')
    // The answer of a new passkey is a proof by the factor, which now is asked for: the recovery codes are shown next.
    await addMethod(tx, session_id, {
      method: 'mfa',
      at: Date.now() / 1000,
      id: passkey.id,
      type: 'webauthn',
    })
    const { generated } = await settleFactors(app, tx, user_id)
    await notice(app, tx, caller, actor, { act: 'passkey.added', letter: keyAdded, detail: { name } })
    return {
      status: 200,
      body: { status: 200, data: toPasskeyReply(passkey), meta: { recovery_codes_generated: generated } },
    }
  })
})

export const renamePasskey = handler(contract.renamePasskey, async ({ app, actor, body }) => {
  if (!app.config.passkeys) return off
  const own = await queries.passkeysOf(app.db, actor.user_id)
  if (!own.some((passkey) => passkey.id === body.id)) throw badRequest('invalid_choice', 'id')
  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  const passkey = await transaction(app, { userId: actor.user_id }, (tx) =>
    queries.renamePasskey(tx, actor.user_id, body.id, body.name),
  )
  if (!passkey) throw badRequest('invalid_choice', 'id')
  return { status: 200, body: { status: 200, data: toPasskeyReply(passkey) } }
})

/** Removes passkeys. If one is not the caller's, the whole call is refused. */
export const removePasskeys = handler(contract.removePasskeys, async ({ app, caller, actor, body }) => {
  if (!app.config.passkeys) return off
  const { user_id } = actor
  const own = await queries.passkeysOf(app.db, user_id)
  const chosen = body.authenticators.map((id) => own.find((passkey) => passkey.id === id))
  if (!chosen.every((passkey) => passkey !== undefined)) throw badRequest('invalid_choice', 'authenticators')
  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  await transaction(app, { userId: user_id }, async (tx) => {
    await lockUser(tx, user_id)
    const ids = chosen.map((passkey) => passkey.id)
    if ((await queries.deletePasskeys(tx, user_id, ids)) === 0) return
    await settleFactors(app, tx, user_id)
    const name = chosen.map((passkey) => passkey.name).join(', ')
    await notice(app, tx, caller, actor, { act: 'passkey.removed', letter: keyRemoved, detail: { name } })
  })
  return { status: 200, body: { status: 200 } }
})
