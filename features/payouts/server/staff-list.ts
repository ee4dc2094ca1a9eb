import { handler } from '#foundation/server/http/handler.ts'
import { placeInOrder } from '#foundation/server/database/order.ts'
import { pageFrom, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/payouts/staff-contract.ts'
import { payoutsInOrder } from './queries.ts'
import { toStaffReplies } from './replies.ts'

/** Answers `GET /api/staff/payouts/`. A reference is read as it is copied from a statement: in small letters, or with blanks. */
export const listForStaff = handler(contract.listStaffPayouts, async ({ app, query }) => {
  const { limit, cursor, sort, reference, ...filter } = query
  const { number } = placeKinds
  const after = placeInOrder(cursor, sort, { time: number, id: number })
  const named = reference === undefined ? {} : { reference: plainReference(reference) }
  const rows = await payoutsInOrder(app.db, { ...filter, ...named }, { sort, after, limit: limit + 1 })
  const page = pageFrom(
    rows,
    limit,
    ({ id, amount }) => [sort, String(sort === 'newest' || sort === 'oldest' ? id : amount), String(id)],
    (row) => row,
  )
  return { status: 200, body: { ...page, items: await toStaffReplies(app, app.db, page.items) } }
})

const plainReference = (given: string): string =>
  given
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replace(/^PO/, 'PO-')
