import { assertOther } from '#features/finance/server/finance.ts'
import { nameOfHelping, type Helping } from '#features/hosts/server/hosts.ts'
import { ACTIVITY_ADDED } from '#features/security/contract.ts'
import * as contract from '#features/support/files/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { findUser, lockUser } from '#foundation/server/session/session.ts'
import { keptAndExtra } from '#features/support/tickets/server/tickets.ts'
import { setExtraBytes } from './file-queries.ts'

const MB = 1_000_000

/** Answers `GET /api/staff/customers/{userId}/storage/`. */
export const getStorage = handler(contract.getStorage, async ({ app, params }) => {
  if (!(await findUser(app.db, params.userId))?.is_active) throw notFound()
  return { status: 200, body: await storageOf(app, app.db, params.userId) }
})

/** Answers `PUT /api/staff/customers/{userId}/storage/`. */
export const changeStorage = handler(contract.changeStorage, async ({ app, actor, caller, params, body }) => {
  const who = { actor, origin: originOf(caller) }
  return { status: 200, body: await setExtraStorage(app, who, params.userId, body) }
})

type Wanted = { extra_mb: number; from?: number; note: string }

/**
 * Lets an account keep more than STORAGE_PER_CUSTOMER; 0 takes that back, and no file is lost by it. Throws 404, 403 `own_account`, and 409
 * `changed` where `from` is not what the account has.
 */
export const setExtraStorage = (
  app: App,
  who: Helping,
  user_id: string,
  { extra_mb, from, note }: Wanted,
): Promise<contract.Storage> =>
  transaction(app, 'system', async (tx) => {
    if (who.actor) await assertOther(tx, who.actor, user_id)
    if (!(await lockUser(tx, user_id))?.is_active) throw notFound()
    const before = await storageOf(app, tx, user_id)
    if (from !== undefined && from !== before.extra_mb) throw new HttpError(409, [{ code: 'changed' }])
    await setExtraBytes(tx, user_id, extra_mb * MB)
    const detail = { by: nameOfHelping(who), reason: note, extra_mb, before_mb: before.extra_mb }
    await recordAction(tx, { user_id, act: 'customer.storage_changed', ...who.origin, detail })
    await publish(tx, user_id, { type: ACTIVITY_ADDED })
    return storageOf(app, tx, user_id)
  })

async function storageOf(app: App, db: App['db'], user_id: string): Promise<contract.Storage> {
  const { kept, extra } = await keptAndExtra(db, user_id)
  return { kept_bytes: kept, most_bytes: app.config.storagePerCustomer + extra, extra_mb: extra / MB }
}
