import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { reauthenticationReply } from '#foundation/server/session/envelope.ts'
import { hasFactor, isRecent, lockUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/security/contract.ts'
import { makeRecoveryCodes, unusedCodes } from './codes.ts'
import { toRecoverySetReply } from './factors.ts'
import * as queries from './factor-queries.ts'
import { codesRegenerated, notice } from './mails.ts'

/** Shows the remaining codes, to a user with a recent proof of identity (row A-09). */
export const getRecoveryCodes = handler(contract.getRecoveryCodes, async ({ app, actor }) => {
  const data = await toCodesReply(app, app.db, actor.user_id)
  if (!data) return { status: 404, body: { status: 404 } }
  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  return { status: 200, body: { status: 200, data } }
})

/** Makes ten new codes; the old ones are void from then on. */
export const renewRecoveryCodes = handler(contract.renewRecoveryCodes, async ({ app, caller, actor }) => {
  const { user_id } = actor
  if (!hasFactor(actor.factors)) throw badRequest('cannot_generate_recovery_codes')
  if (!isRecent(app, actor)) return { status: 401, body: reauthenticationReply(actor) }
  const data = await transaction(app, { userId: user_id }, async (tx) => {
    await lockUser(tx, user_id)
    // The last factor may have been removed since the session was read.
    if (!hasFactor(await queries.factorsOf(tx, user_id))) throw badRequest('cannot_generate_recovery_codes')
    await makeRecoveryCodes(app, tx, user_id)
    await notice(app, tx, caller, actor, { act: 'recovery_codes.renewed', letter: codesRegenerated })
    return toCodesReply(app, tx, user_id)
  })
  return { status: 200, body: { status: 200, data: must(data) } }
})

async function toCodesReply(
  app: App,
  db: App['db'],
  user_id: string,
): Promise<contract.RecoveryCodes | undefined> {
  const set = await queries.recoverySetOf(db, user_id)
  return set && { ...toRecoverySetReply(set), unused_codes: await unusedCodes(app, db, user_id) }
}
