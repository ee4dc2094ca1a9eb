import { displayNames } from '#features/profile/server/profile.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/invoices/contract.ts'
import * as queries from './place-queries.ts'
import { placeStatusOf } from './place-status.ts'
import { vatFor } from './vat-of-customer.ts'

/** Answers `GET /api/invoices/vat-place/`. */
export const getPlace = handler(contract.getVatPlace, async ({ app, actor }) => ({
  status: 200,
  body: await placeStatusOf(app, app.db, actor.user_id),
}))

/** Answers `PUT /api/invoices/vat-place/answer/`. The answer changes no rate by itself: it is one more claim, which staff judge. */
export const answerPlace = handler(contract.answerVatPlace, ({ app, actor: { user_id }, body }) =>
  transaction(app, { userId: user_id }, async (tx) => {
    const { place } = (await vatFor(app, tx, user_id)).evidence
    if (place?.basis !== 'doubted') throw new HttpError(409, [{ code: 'no_question' }])
    await queries.openQuestion(tx, { user_id, place: place.claimed })
    await queries.answerQuestion(tx, user_id, body.answer)
    return { status: 200, body: await placeStatusOf(app, tx, user_id) } as const
  }),
)

/** Answers `GET /api/staff/vat-places/`. */
export const listQuestions = handler(contract.listVatPlaces, async ({ app, query: { limit, cursor } }) => {
  const after = placeIn(cursor, [placeKinds.time, placeKinds.uuid])
  const rows = await queries.openQuestions(app.db, { after, limit: limit + 1 })
  const { items, next_cursor } = pageFrom(
    rows,
    limit,
    ({ opened_at, id }) => [opened_at.toISOString(), id],
    (row) => row,
  )
  const ids = items.map(({ user_id }) => user_id)
  const names = await displayNames(app, app.db, ids)
  const statuses = await Promise.all(ids.map((user_id) => placeStatusOf(app, app.db, user_id)))
  const open = statuses.flatMap((status, index) => {
    const customer = names.of(ids[index] ?? '')
    return status.state === 'agreed' ? [] : [{ customer, ...status }]
  })
  return { status: 200, body: { items: open, next_cursor } }
})

const AT_ONCE = 500

/** Closes the questions that the facts have answered meanwhile. The job `settled_place_questions` runs it each hour. */
export async function closeSettled(app: App): Promise<void> {
  for (let after: string[] | undefined; ;) {
    const rows = await queries.openQuestions(app.db, { after, limit: AT_ONCE })
    for (const { user_id } of rows)
      await transaction(app, 'system', async (tx) => {
        const { place } = (await vatFor(app, tx, user_id)).evidence
        if (place?.basis !== 'doubted') await queries.closeQuestion(tx, user_id)
      })
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    after = [last.opened_at.toISOString(), last.id]
  }
}
