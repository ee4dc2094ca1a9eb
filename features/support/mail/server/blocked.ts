import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/support/mail/contract.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as queries from './blocked-queries.ts'
import { publishHeld } from './publish-held.ts'

/** Answers `GET /api/staff/blocked-senders/`. */
export const listBlockedSenders = handler(contract.listBlockedSenders, async ({ app, query }) => {
  const [at_us, digest] = placeIn(query.cursor, [placeKinds.number, placeKinds.text]) ?? []
  const before = at_us === undefined || digest === undefined ? undefined : ([at_us, digest] as const)
  const rows = await queries.blockedSenders(app.db, { before, limit: query.limit + 1 })
  const names = await displayNames(
    app,
    app.db,
    rows.map(({ blocked_by }) => blocked_by),
  )
  const body = pageFrom(
    rows,
    query.limit,
    (row) => [row.at_us, row.digest],
    ({ address: email, blocked_at, blocked_by }): contract.BlockedSender => ({
      email,
      blocked_at: blocked_at.toISOString(),
      blocked_by: blocked_by === null ? null : names.of(blocked_by),
    }),
  )
  return { status: 200, body }
})

/** Answers `POST /api/staff/blocked-senders/lifting/`. Throws 409 `changed` where nobody blocks this sender any more. */
export const unblockSender = handler(contract.unblockSender, ({ app, actor, caller, body }) =>
  transaction(app, 'system', async (tx) => {
    const by = actor.user_id
    if (!(await queries.unblockSender(tx, body.email))) throw new HttpError(409, [{ code: 'changed' }])
    const detail = { by, from: body.email }
    await recordAction(tx, { user_id: by, act: 'mail.sender_unblocked', ...originOf(caller), detail })
    await publishHeld(tx, { user_id: null })
    return { status: 204 } as const
  }),
)
