import { containing } from '#foundation/server/database/like.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/banking/contract.ts'
import { lineReply } from './line-reply.ts'
import * as queries from './queries.ts'

/** Answers `GET /api/staff/bank-lines/`. */
export const listBankLines = handler(contract.listBankLines, async ({ app, query }) => {
  const { limit, cursor, state, match, q } = query
  const [day, id] = placeIn(cursor, [placeKinds.day, placeKinds.uuid]) ?? []
  const rows = await queries.listLines(app.db, {
    state,
    match,
    q: q === undefined ? undefined : containing(q),
    after: day !== undefined && id !== undefined ? { day, id } : undefined,
    limit: limit + 1,
  })
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    (row) => [row.booked_on, row.id],
    (row) => row,
  )
  const open = await queries.countOpen(app.db)
  return { status: 200, body: { items: await lineReply(app, app.db, items), next_cursor, open } }
})
