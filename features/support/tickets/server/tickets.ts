import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/support/tickets/contract.ts'
import { afterReopening, customerTabs, ticketCan } from '#features/support/tickets/rules.ts'
import { writeEvent } from './event-lines.ts'
import { authorOf, lockTicket, openTicket, partyOf, stateOf } from './write-message.ts'
import { planTelling } from './plan-closing.ts'
import { publishTicketChanged } from './publish.ts'
import * as queries from './queries.ts'
import { serializeTicket, serializeTickets } from './serialize.ts'
import { personOf, scopeOf, ticketsHeld } from './ticket-scope.ts'

export { assertFits, toAttachmentReply } from './attach.ts'
export { keptAndExtra, unusedUntil, type AttachmentRow } from './attachment-queries.ts'
export { recordStaffAction, writeEvent, writeNoteOfOperator, type EventLine } from './event-lines.ts'
export { noteClosing } from './closed-queries.ts'
export { closingSoon } from './mails.ts'
export { TELL_CLOSED, type Planned } from './plan-closing.ts'
export { expectAnew } from './due-queries.ts'
export { createTicket, writeTicket } from './open-ticket.ts'
export { firstUnanswered, messagesOf } from './message-queries.ts'
export { messageNumbered } from './numbered-message.ts'
export { chatIdOf, lockTicketNumbered } from './numbered-queries.ts'
export { publishMessageChanged, publishTicketChanged } from './publish.ts'
export { ownerOfTicket, ticketOf, updateTicket, type TicketRow } from './queries.ts'
export { publishRead, raiseMark } from './read-marks.ts'
export { redact } from './redaction.ts'
export { takeSecret } from './secrets.ts'
export { isStaffView, latestTickets, serializeTicket, serializeTickets } from './serialize.ts'
export { namesOfAuthor, serializeMessages, serializeReads, type KnownNames } from './serialize-messages.ts'
export { isSpam, noSpam } from './spam-queries.ts'
export { applyActs } from './ticket-acts.ts'
export { applyUndoably, undoActs } from './undo-acts.ts'
export { forgetUndone, ticketsToUndo } from './undo-queries.ts'
export { ticketAsThing } from './scope-queries.ts'
export { personOf } from './ticket-scope.ts'
export { aboutTicket, customerSideOf, haveAllRead, unreadReplies } from './unread-queries.ts'
export { authorOf, lockTicket, openTicket, partyOf, stateOf, writeMessage } from './write-message.ts'

export const listTickets = handler(contract.listTickets, async ({ app, actor, query, caller }) => {
  const isForAll = query.for === 'all' && !caller.view
  const held = isForAll ? ((await app.grantsHeld?.(app, actor, contract.seeTickets)) ?? []) : []
  const [at, id] = placeIn(query.cursor, [placeKinds.time, placeKinds.number]) ?? []
  const rows = await queries.ticketsOf(app.db, {
    tab: query.tab && customerTabs[query.tab],
    scopes: [scopeOf(app, actor), ...held.map(ticketsHeld)],
    q: query.q,
    host_public_id: query.host_id,
    before: at === undefined || id === undefined ? undefined : { at, id },
    limit: query.limit + 1,
  })
  const page = pageFrom(rows, query.limit, placeOf, (row) => row)
  const items = await serializeTickets(app, app.db, page.items, actor, app.acting ? [app.acting] : held)
  return { status: 200, body: { items, next_cursor: page.next_cursor } }
})

const placeOf = (row: queries.TicketRow) => [row.last_message_at.toISOString(), row.id.toString()]

/** Answers the number for the badge in the navigation. Pages request it after many events, so it costs one statement only. */
export const countUnread = handler(contract.countUnread, async ({ app, actor }) => {
  const person_id = personOf(app, actor)
  const unread = await queries.unreadOfCustomer(app.db, person_id, scopeOf(app, actor))
  return { status: 200, body: { count: unread } }
})

export const getTicket = handler(contract.getTicket, async ({ app, actor, params }) => {
  const row = await openTicket(app.db, params.chatId, actor)
  return { status: 200, body: await serializeTicket(app, app.db, row, actor) }
})

export const closeTicket = handler(contract.closeTicket, ({ app, actor, caller, params }) => {
  return transaction(app, authorOf(actor), async (tx) => {
    const row = await lockTicket(tx, params.chatId, actor)
    if (!ticketCan.close(stateOf(row)))
      return { status: 200, body: await serializeTicket(app, tx, row, actor) } as const
    await queries.updateTicket(tx, row.id, { status: 'closed' })
    const party = partyOf(row, actor)
    await writeEvent(tx, row, { code: 'closed', params: {} }, { party, caller })
    if (party.role === 'staff') planTelling(tx, row.id)
    return { status: 200, body: await publishChange(app, tx, row, actor) } as const
  })
})

export const reopenTicket = handler(contract.reopenTicket, ({ app, actor, caller, params }) => {
  return transaction(app, authorOf(actor), async (tx) => {
    const row = await lockTicket(tx, params.chatId, actor)
    const party = partyOf(row, actor)
    if (row.status !== 'closed')
      return { status: 200, body: await serializeTicket(app, tx, row, actor) } as const
    if (!ticketCan.reopen(stateOf(row), party)) throw new HttpError(409, [{ code: 'closed_too_long' }])
    await queries.updateTicket(tx, row.id, afterReopening(stateOf(row)))
    await writeEvent(tx, row, { code: 'reopened', params: {} }, { party, caller })
    return { status: 200, body: await publishChange(app, tx, row, actor) } as const
  })
})

/** Publishes that the ticket changed and returns the updated ticket. */
export async function publishChange(
  app: App,
  tx: Tx,
  row: queries.TicketRow,
  actor: Actor,
): Promise<contract.Ticket> {
  const changed = (await queries.lockTicketById(tx, row.id)) ?? row
  await publishTicketChanged(tx, row, stateOf(row), stateOf(changed))
  return serializeTicket(app, tx, changed, actor)
}
