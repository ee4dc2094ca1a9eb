import { randomUUID } from 'node:crypto'
import type { ApiError } from '#foundation/errors.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { findUser, lockUser } from '#foundation/server/session/session.ts'
import { displayNames, findPeople } from '#features/profile/server/profile.ts'
import { ticketHandedOver } from '#features/support/tickets/contract.ts'
import { afterAssigning, afterUnassigning, staffTabs, ticketCan } from '#features/support/tickets/rules.ts'
import {
  applyActs,
  lockTicket,
  partyOf,
  publishChange,
  serializeTicket,
  serializeTickets,
  stateOf,
  updateTicket,
  isSpam,
  recordStaffAction,
  writeEvent,
  writeMessage,
  type EventLine,
  type TicketRow,
} from '#features/support/tickets/server/tickets.ts'
import * as contract from '#features/support/desk/contract.ts'
import { countHeldMails } from '#features/support/mail/server/mail.ts'
import * as queries from './staff-ticket-queries.ts'

/**
 * Answers the tickets of all customers, the longest-waiting first, except those of the caller: staff must not answer their own tickets,
 * which are in their list as a customer.
 */
export const listStaffTickets = handler(contract.listStaffTickets, async ({ app, actor, query }) => {
  const [at, id] = placeIn(query.cursor, [placeKinds.time, placeKinds.number]) ?? []
  const { q, topic, priority, assignee, customer, tag, late } = query
  const search = q === undefined ? undefined : { q, people: await findPeople(app.db, q, 50) }
  const rows = await queries.searchTickets(app.db, {
    topic,
    priority,
    assignee,
    customer,
    tag,
    late: late === 'yes',
    search,
    tab: query.tab && staffTabs[query.tab],
    snoozed: query.tab === 'snoozed' ? true : query.tab && AWAKE.includes(query.tab) ? false : undefined,
    spam: query.tab === 'spam',
    staff_id: actor.user_id,
    after: at === undefined || id === undefined ? undefined : { at, id },
    limit: query.limit + 1,
  })
  const page = pageFrom(
    rows,
    query.limit,
    ({ since, id }) => [since.toISOString(), id.toString()],
    (row) => row,
  )
  const items = await serializeTickets(app, app.db, page.items, actor)
  return { status: 200, body: { items, next_cursor: page.next_cursor } }
})

/** The tabs of open tickets, which leave out those that sleep. */
const AWAKE: readonly string[] = ['incoming', 'processing', 'waiting']

export const countStaffTickets = handler(contract.countStaffTickets, async ({ app, actor }) => {
  const [counts, held_mails] = await Promise.all([
    queries.countTickets(app.db, actor.user_id),
    countHeldMails(app.db),
  ])
  return { status: 200, body: { ...counts, ...(held_mails > 0 && { held_mails }) } }
})

/** Does what a menu, a macro or a robot asks for, all of it or nothing. */
export const changeTicket = handler(contract.changeTicket, ({ app, actor, caller, params, body }) => {
  return transaction(app, 'system', async (tx) => {
    const row = await lockTicket(tx, params.chatId, actor)
    const changed = await applyActs(app, tx, row, body, { actor, caller })
    return { status: 200, body: await serializeTicket(app, tx, changed, actor) } as const
  })
})

/**
 * Takes a ticket, or hands it over. If two members of staff act at once, the lock of the row lets one through, and the other gets the name
 * of the present assignee. Taking a ticket that the caller has already changes nothing.
 */
export const assignTicket = handler(contract.assignTicket, async ({ app, actor, caller, params, body }) => {
  const wanted = body.user_id ?? actor.user_id
  if (body.user_id !== undefined) {
    const colleague = await findUser(app.db, body.user_id)
    if (!colleague?.is_staff || !colleague.is_active) throw badRequest('unknown_staff', 'user_id')
  }
  return transaction(app, 'system', async (tx) => {
    const row = await lockTicket(tx, params.chatId, actor)
    const writeNote = (text: string, ticket: TicketRow) =>
      writeMessage(app, tx, {
        ticket,
        actor,
        caller,
        kind: 'note',
        written: { client_id: randomUUID(), text },
      })
    if (row.user_id === wanted || row.user_id === actor.user_id)
      throw new HttpError(409, [{ code: 'own_ticket' }])
    if (row.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed' }])
    if (row.assignee_id === wanted) {
      const note = body.note ?? ''
      // A colleague may have handed it over to the same person meanwhile; a call that is repeated writes its note once.
      if (
        note === '' ||
        (await queries.hasWritten(tx, { ticket_id: row.id, author_id: actor.user_id, note }))
      )
        return { status: 200, body: await serializeTicket(app, tx, row, actor) }
      await writeNote(note, row)
      return { status: 200, body: await publishChange(app, tx, row, actor) }
    }
    if (body.user_id === undefined && !ticketCan.take(stateOf(row), partyOf(row, actor)))
      return takenByOther(app, tx, row)
    if (body.from !== undefined && body.from !== row.assignee_id) return takenByOther(app, tx, row)
    const assigned = await updateTicket(tx, row.id, afterAssigning(stateOf(row), wanted))
    // The check is repeated under the lock of the new assignee: somebody who leaves the staff meanwhile either releases this ticket, too,
    // or does not get it.
    if (!(await lockUser(tx, wanted))?.is_staff) throw badRequest('unknown_staff', 'user_id')
    const line = await assignedEvent(app, tx, actor.user_id, wanted)
    await writeEvent(tx, row, line, { party: partyOf(row, actor), caller })
    if (wanted !== actor.user_id) {
      const handed = { chat_id: row.public_id, number: row.number, to: wanted, by: actor.user_id }
      await emit(app, tx, ticketHandedOver, handed)
    }
    if (body.note !== undefined) await writeNote(body.note, assigned)
    return { status: 200, body: await publishChange(app, tx, row, actor) }
  })
})

async function assignedEvent(app: App, tx: Tx, by: string, to: string): Promise<EventLine> {
  if (by === to) return { code: 'taken', params: {} }
  const names = await displayNames(app, tx, [to])
  return { code: 'handed_over', params: { name: names.ofStaff(to).name } }
}

async function takenByOther(app: App, tx: Tx, { assignee_id }: TicketRow) {
  const names = await displayNames(app, tx, [assignee_id])
  const errors: ApiError[] = [{ code: 'already_taken', message: 'Somebody else was faster.' }]
  const assignee = assignee_id === null ? null : names.of(assignee_id)
  return { status: 409, body: { status: 409, errors, assignee } } as const
}

export const unassignTicket = handler(contract.giveBackTicket, ({ app, actor, caller, params, query }) => {
  return transaction(app, 'system', async (tx) => {
    const row = await lockTicket(tx, params.chatId, actor)
    const party = partyOf(row, actor)
    if (row.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed' }])
    if (query.from !== undefined && query.from !== row.assignee_id) return takenByOther(app, tx, row)
    if (!ticketCan.unassign(stateOf(row), party))
      return { status: 200, body: await serializeTicket(app, tx, row, actor) }
    await updateTicket(tx, row.id, afterUnassigning())
    await writeEvent(tx, row, { code: 'given_back', params: {} }, { party, caller })
    return { status: 200, body: await publishChange(app, tx, row, actor) }
  })
})

/** Closes a ticket as spam. The customer sees that it is closed and no more; marking it twice changes nothing. */
export const markSpam = handler(contract.markSpam, ({ app, actor, caller, params }) => {
  return transaction(app, 'system', async (tx) => {
    const row = await lockTicket(tx, params.chatId, actor)
    if (row.user_id === actor.user_id) throw new HttpError(409, [{ code: 'own_ticket' }])
    if (isSpam(row)) return { status: 200, body: await serializeTicket(app, tx, row, actor) } as const
    const by = { party: partyOf(row, actor), caller }
    await updateTicket(tx, row.id, { status: 'closed', is_spam: true })
    if (row.status !== 'closed') await writeEvent(tx, row, { code: 'closed', params: {} }, by)
    await recordStaffAction(tx, row, 'marked_spam', by)
    return { status: 200, body: await publishChange(app, tx, row, actor) } as const
  })
})
