import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/payouts/staff-contract.ts'
import { payoutsBefore } from './queries.ts'
import { toStaffReplies } from './replies.ts'

/** Answers `GET /api/staff/payouts/`. A reference is read as it is copied from a statement: in small letters, or with blanks. */
export const listForStaff = handler(contract.listStaffPayouts, async ({ app, query }) => {
  const { limit, cursor, reference, ...filter } = query
  const [before] = placeIn(cursor, [placeKinds.number]) ?? []
  const named = reference === undefined ? {} : { reference: plainReference(reference) }
  const rows = await payoutsBefore(app.db, { ...filter, ...named }, { before, limit: limit + 1 })
  const page = pageFrom(
    rows,
    limit,
    ({ id }) => [String(id)],
    (row) => row,
  )
  return { status: 200, body: { ...page, items: await toStaffReplies(app, app.db, page.items) } }
})

const plainReference = (given: string): string =>
  given
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replace(/^PO/, 'PO-')
