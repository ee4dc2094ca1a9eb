import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { findUser, type Actor } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { lockTicket, openTicket, personOf } from '#features/support/tickets/server/tickets.ts'
import * as contract from '#features/support/ratings/contract.ts'
import { NEWS_DAYS } from '#features/support/ratings/rules.ts'
import * as queries from './queries.ts'

export const getRating = handler(contract.getRating, async ({ app, actor, params }) => {
  const { id } = await openTicket(app.db, params.chatId, actor)
  return { status: 200, body: ratingOf(await queries.ratingsOf(app.db, id)) }
})

/** Rates as the customer of a ticket or their helper, which a member of staff is in tickets of their own alone (rule 59). */
export const rateTicket = handler(contract.rateTicket, ({ app, actor, params, body }) => {
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const ticket = await lockTicket(tx, params.chatId, actor)
    if (ticket.status !== 'closed') throw new HttpError(409, [{ code: 'ticket_open' }])
    const { face, word = '' } = body
    const [last] = await queries.ratingsOf(tx, ticket.id)
    if (last?.face !== face || last.word !== word)
      await queries.insertRating(tx, {
        ticket_id: ticket.id,
        user_id: await rater(app, tx, actor),
        face,
        word,
      })
    return { status: 200, body: ratingOf(await queries.ratingsOf(tx, ticket.id)) } as const
  })
})

/** The person who rates. A token is none, and rates as the account. */
async function rater(app: App, tx: Tx, actor: Actor): Promise<string> {
  const person = personOf(app, actor)
  return app.acting && !(await findUser(tx, person)) ? actor.user_id : person
}

/** True if a ticket was rated at this time or later. */
export async function isRatedSince(db: App['db'], ticket_id: bigint, at: Date): Promise<boolean> {
  const [last] = await queries.ratingsOf(db, ticket_id)
  return last !== undefined && last.rated_at >= at
}

function ratingOf([last, ...earlier]: readonly queries.RatingRow[]): contract.TicketRating {
  const rating = last ? { face: last.face, word: last.word, rated_at: last.rated_at.toISOString() } : null
  return { rating, earlier: earlier.length }
}

export const listRatings = handler(contract.listRatings, async ({ app, actor, query }) => {
  const [before] = placeIn(query.cursor, [placeKinds.number]) ?? []
  const rows = await queries.listRatings(app.db, {
    customer: query.customer,
    face: query.face,
    staff_id: actor.user_id,
    before,
    limit: query.limit + 1,
  })
  const page = pageFrom(
    rows,
    query.limit,
    ({ id }) => [id.toString()],
    (row) => row,
  )
  const names = await displayNames(
    app,
    app.db,
    page.items.map(({ customer_id }) => customer_id),
  )
  const items = page.items.map(({ face, word, rated_at, public_id, number, subject, customer_id }) => ({
    face,
    word,
    rated_at: rated_at.toISOString(),
    ticket: { id: public_id, number, subject },
    customer: names.of(customer_id),
  }))
  return { status: 200, body: { items, next_cursor: page.next_cursor } }
})

/** Counts the poor ratings that are news for a member of staff. */
export const countPoorRatings = (db: App['db'], staff_id: string): Promise<number> =>
  queries.countPoor(db, staff_id, NEWS_DAYS)
