import { handler } from '#foundation/server/http/handler.ts'
import { hubOf } from '#foundation/server/realtime/hub.ts'
import { isStaffView, openTicket, personOf } from '#features/support/tickets/server/tickets.ts'
import * as contract from '#features/support/messages/contract.ts'

/** Shows the other readers of a ticket that a user is typing. None of the text leaves the browser, and nothing is stored. */
export const publishTyping = handler(contract.tellTyping, async ({ app, actor, params }) => {
  const ticket = await openTicket(app.db, params.chatId, actor)
  const user_id = personOf(app, actor)
  const is_staff = isStaffView(ticket, actor)
  await hubOf(app).say({
    room: ticket.public_id,
    // The customer of the ticket receives the event on every page, members of staff only if they view the ticket.
    ...(user_id !== ticket.user_id && { to: ticket.user_id }),
    by: user_id,
    type: contract.TYPING,
    data: { chat_id: ticket.public_id, user_id, is_staff },
  })
  return { status: 204 }
})
