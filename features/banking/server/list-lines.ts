import { must } from '#foundation/must.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/banking/contract.ts'
import { lineReply } from './line-reply.ts'
import { countOpenTogether, listLines } from './list-queries.ts'

/** Answers `GET /api/staff/bank-lines/`. */
export const listBankLines = handler(contract.listBankLines, async ({ app, query }) => {
  const { limit, cursor, state, match, q } = query
  const [day, id] = placeIn(cursor, [placeKinds.day, placeKinds.uuid]) ?? []
  const after = day !== undefined && id !== undefined ? { day, id } : undefined
  const [rows, open] = await Promise.all([
    listLines(app.db, { state, match, q, after, limit: limit + 1 }),
    countOpenTogether(app.db, 'open'),
  ])
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    (row) => [row.booked_on, row.id],
    (row) => row,
  )
  return {
    status: 200,
    body: { items: await lineReply(app, app.db, items), next_cursor, open: must(open) },
  }
})
