import { must } from '#foundation/must.ts'
import { orderKinds } from '#foundation/server/database/order.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/banking/contract.ts'
import { lineReply } from './line-reply.ts'
import { countOpenTogether, listLines } from './list-queries.ts'

/** Answers `GET /api/staff/bank-lines/`. */
export const listBankLines = handler(contract.listBankLines, async ({ app, query }) => {
  const { limit, cursor, state, match, q, sort } = query
  const [, at, id] = placeIn(cursor, [...orderKinds(sort, placeKinds.day), placeKinds.uuid]) ?? []
  const after = at !== undefined && id !== undefined ? { place: at, id } : undefined
  const [rows, open] = await Promise.all([
    listLines(app.db, { state, match, q, sort, after, limit: limit + 1 }),
    countOpenTogether(app.db, 'open'),
  ])
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    (row) => [sort, row.at, row.id],
    (row) => row,
  )
  return {
    status: 200,
    body: { items: await lineReply(app, app.db, items), next_cursor, open: must(open) },
  }
})
