import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { ticketCan } from '#features/support/tickets/rules.ts'
import {
  authorOf,
  firstUnanswered,
  isStaffView,
  lockTicket,
  messagesOf,
  namesOfAuthor,
  openTicket,
  partyOf,
  personOf,
  publishRead,
  raiseMark,
  serializeMessages,
  serializeReads,
  stateOf,
  writeMessage,
  type KnownNames,
} from '#features/support/tickets/server/tickets.ts'
import * as contract from '#features/support/messages/contract.ts'

export const listMessages = handler(contract.listMessages, async ({ app, actor, params, query }) => {
  const ticket = await openTicket(app.db, params.chatId, actor)
  const staff = isStaffView(ticket, actor)
  const { before, after, limit } = query
  const [items, reads, unanswered_seq] = await Promise.all([
    messagesOf(app.db, ticket.id, { staff }, { before, after, limit }).then((rows) =>
      serializeMessages(app, app.db, rows, { staff }),
    ),
    serializeReads(app, app.db, ticket, { staff }),
    staff ? firstUnanswered(app.db, ticket.id) : null,
  ])
  const last_seq = staff ? ticket.staff_seq : ticket.customer_seq
  return { status: 200, body: { items, first_seq: last_seq === 0 ? 0 : 1, last_seq, unanswered_seq, reads } }
})

export const postMessage = handler(contract.postMessage, async (call) => {
  const { app, actor, caller, params, body } = call
  const known = actor.is_staff ? undefined : await namesOfAuthor(app, actor)
  const wrote = await transaction(app, authorOf(actor), async (tx) => {
    const ticket = await lockTicket(tx, params.chatId, actor)
    return writeMessage(app, tx, { ticket, actor, caller, kind: 'comment', written: body, known })
  })
  return asAnswer(app, wrote, known)
})

export const postNote = handler(contract.postNote, async (call) => {
  const { app, actor, caller, params, body } = call
  const wrote = await transaction(app, 'system', async (tx) => {
    const ticket = await lockTicket(tx, params.chatId, actor)
    if (!ticketCan.note(stateOf(ticket), partyOf(ticket, actor))) throw notFound()
    return writeMessage(app, tx, { ticket, actor, caller, kind: 'note', written: body })
  })
  return asAnswer(app, wrote)
})

/** Names that are not known yet are read after the commit: the ticket is locked no longer, and several requests are read at once. */
async function asAnswer(
  app: App,
  { status, row }: Awaited<ReturnType<typeof writeMessage>>,
  known?: KnownNames,
) {
  const [body] = await serializeMessages(app, app.db, [row], { staff: row.by_staff, known })
  return { status, body: must(body) }
}

/** Raises the reader's mark and publishes it, so that the other side sees which messages were read. */
export const markRead = handler(contract.markRead, async ({ app, actor, params, body }) => {
  const ticket = await openTicket(app.db, params.chatId, actor)
  const is_staff = isStaffView(ticket, actor)
  const mark = {
    user_id: personOf(app, actor),
    seq: Math.min(body.seq, is_staff ? ticket.staff_seq : ticket.customer_seq),
    is_helper: app.acting !== undefined,
  }
  await transaction(app, { userId: actor.user_id }, async (tx) => {
    if (await raiseMark(app, tx, ticket, mark)) await publishRead(tx, ticket, mark, { is_staff })
  })
  return { status: 204 }
})
