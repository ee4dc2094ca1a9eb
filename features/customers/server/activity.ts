import { auditBefore } from '#foundation/server/audit/audit.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/customers/contract.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { customerOf } from './customer-of.ts'

/** Answers `GET …/activity/`: all that the audit holds about a customer, for staff. */
export const listCustomerActivity = handler(
  contract.listCustomerActivity,
  async ({ app, params: { userId }, query: { limit, cursor } }) => {
    await customerOf(app.db, userId)
    const [at_us, id] = placeIn(cursor, [placeKinds.number, placeKinds.number]) ?? []
    const before = at_us !== undefined && id !== undefined ? ([at_us, id] as const) : undefined
    const rows = await auditBefore(app.db, { people: [userId] }, { before, limit: limit + 1 })
    const names = await displayNames(
      app,
      app.db,
      rows.map(({ actor_id }) => actor_id),
    )
    const page = pageFrom(
      rows,
      limit,
      (row) => [row.at_us, String(row.id)],
      (row) => {
        const { at, act, ip, user_agent, request_id, detail, actor_kind: kind, actor_id } = row
        const name = actor_id === null ? null : names.of(actor_id).name || null
        return {
          id: String(row.id),
          at: at.toISOString(),
          act,
          actor: { kind, name },
          ip,
          user_agent,
          request_id,
          detail,
        }
      },
    )
    return { status: 200, body: page }
  },
)
