import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { hubOf } from '#foundation/server/realtime/hub.ts'
import { staffIds } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/support/desk/contract.ts'
import { absencesNow } from './absence-queries.ts'
import { isStaffView, openTicket } from '#features/support/tickets/server/tickets.ts'

export { countIncoming } from './staff-ticket-queries.ts'

/** The staff to whom a ticket can be handed over. */
export const listColleagues = handler(contract.listColleagues, async ({ app }) => {
  const ids = await staffIds(app.db)
  const names = await displayNames(app, app.db, ids)
  const absent = await absencesNow(app.db, app.config.timeZone)
  const items = ids
    .map((id) => ({ ...names.of(id), shown_as: names.ofStaff(id).name, away: absent.get(id) ?? null }))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id))
  return { status: 200, body: { items } }
})

/**
 * Publishes that a member of staff views a ticket or has left it, and returns the others who view it: two staff who
 * answer one ticket must see each other before both have typed. Nothing is stored.
 */
export const publishPresence = handler(contract.tellPresence, async ({ app, actor, params, body }) => {
  const ticket = await openTicket(app.db, params.chatId, actor)
  // In their own ticket a member of staff is the customer, and no colleague.
  if (!isStaffView(ticket, actor)) throw notFound()
  const { user_id } = actor
  const { name } = (await displayNames(app, app.db, [user_id])).of(user_id)
  const here = body.state === 'here'
  const room = ticket.public_id
  const hub = hubOf(app)
  await hub.say({
    room,
    by: user_id,
    type: contract.PRESENCE,
    data: { chat_id: room, user_id, name, state: body.state },
    looks: { name, here },
  })
  const items = hub.lookingAt(room).filter((person) => person.user_id !== user_id)
  return { status: 200, body: { items: items.map(({ user_id: id, name }) => ({ id, name })) } }
})
