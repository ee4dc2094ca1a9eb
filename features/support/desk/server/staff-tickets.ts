import type { ReplyOf } from '#foundation/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import type { Call } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames, findPeople } from '#features/profile/server/profile.ts'
import { afterAssigning, afterUnassigning, staffTabs, ticketCan } from '#features/support/tickets/rules.ts'
import {
  lockTicket,
  partyOf,
  publishChange,
  serializeTicket,
  serializeTickets,
  stateOf,
  updateTicket,
  within,
  writeEvent,
  type TicketRow,
} from '#features/support/tickets/server/tickets.ts'
import type * as contract from '#features/support/desk/contract.ts'
import * as queries from './staff-ticket-queries.ts'

/** All customers' tickets, who waits longest first. Staff's own are not theirs to answer and stand in their own list. */
export async function listStaffTickets({
  app,
  actor,
  query,
}: Call<typeof contract.listStaffTickets>): Promise<ReplyOf<typeof contract.listStaffTickets>> {
  const [at, id] = placeIn(query.cursor, [placeKinds.time, placeKinds.number]) ?? []
  const { q, topic, priority, assignee, customer } = query
  const search = q === undefined ? undefined : { q, people: await findPeople(app.db, q, 50) }
  const rows = await queries.searchTickets(app.db, {
    topic,
    priority,
    assignee,
    customer,
    search,
    tab: query.tab && staffTabs[query.tab],
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
  const items = await serializeTickets(app, page.items, actor)
  return { status: 200, body: { items, next_cursor: page.next_cursor } }
}

export async function countStaffTickets({
  app,
  actor,
}: Call<typeof contract.countStaffTickets>): Promise<ReplyOf<typeof contract.countStaffTickets>> {
  return { status: 200, body: await queries.countTickets(app.db, actor.user_id) }
}

export function changeTicket({
  app,
  actor,
  caller,
  params,
  body,
}: Call<typeof contract.changeTicket>): Promise<ReplyOf<typeof contract.changeTicket>> {
  return transaction(app, 'system', async (tx) => {
    const row = await lockTicket(tx, params.chatId, actor)
    const by = { party: partyOf(row, actor), caller }
    const { priority, topic } = body
    if (priority !== undefined && priority !== row.priority) {
      await updateTicket(tx, row.id, { priority })
      await writeEvent(tx, row, { code: 'priority_changed', params: { priority } }, by)
    }
    if (topic !== undefined && topic !== row.topic) {
      await updateTicket(tx, row.id, { topic })
      await writeEvent(tx, row, { code: 'topic_changed', params: { topic } }, by)
    }
    return { status: 200, body: await publishChange(app, tx, row, actor) } as const
  })
}

type Assigned = ReplyOf<typeof contract.assignTicket>

/**
 * Takes a ticket, or hands it over. Of two who act at once the row's lock lets one through; the other is told who has it.
 * Taking what one has already changes nothing.
 */
export async function assignTicket({
  app,
  actor,
  caller,
  params,
  body,
}: Call<typeof contract.assignTicket>): Promise<Assigned> {
  const wanted = body.user_id ?? actor.user_id
  if (body.user_id !== undefined) {
    const colleague = await findUser(app.db, body.user_id)
    if (!colleague?.is_staff || !colleague.is_active) throw badRequest('unknown_staff', 'user_id')
  }
  return transaction(app, 'system', async (tx): Promise<Assigned> => {
    const row = await lockTicket(tx, params.chatId, actor)
    if (row.user_id === wanted || row.user_id === actor.user_id)
      throw new HttpError(409, [{ code: 'own_ticket' }])
    if (row.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed' }])
    if (row.assignee_id === wanted)
      return { status: 200, body: await serializeTicket(within(app, tx), row, actor) }
    if (body.user_id === undefined && !ticketCan.take(stateOf(row), partyOf(row, actor)))
      return takenByOther(within(app, tx), row)
    if (body.from !== undefined && body.from !== row.assignee_id) return takenByOther(within(app, tx), row)
    await updateTicket(tx, row.id, afterAssigning(stateOf(row), wanted))
    await writeEvent(tx, row, await assignedEvent(within(app, tx), actor.user_id, wanted), {
      party: partyOf(row, actor),
      caller,
    })
    return { status: 200, body: await publishChange(app, tx, row, actor) }
  })
}

async function assignedEvent(from: Parameters<typeof displayNames>[0], by: string, to: string) {
  if (by === to) return { code: 'taken', params: {} }
  const names = await displayNames(from, [to])
  return { code: 'handed_over', params: { name: names.ofStaff(to).name } }
}

async function takenByOther(
  from: Parameters<typeof displayNames>[0],
  { assignee_id }: TicketRow,
): Promise<Extract<Assigned, { status: 409 }>> {
  const names = await displayNames(from, [assignee_id])
  return {
    status: 409,
    body: {
      status: 409,
      errors: [{ code: 'already_taken', message: 'Somebody else was faster.' }],
      assignee: assignee_id === null ? null : names.of(assignee_id),
    },
  }
}

type Unassigned = ReplyOf<typeof contract.giveBackTicket>

export function unassignTicket({
  app,
  actor,
  caller,
  params,
  query,
}: Call<typeof contract.giveBackTicket>): Promise<Unassigned> {
  return transaction(app, 'system', async (tx): Promise<Unassigned> => {
    const row = await lockTicket(tx, params.chatId, actor)
    const party = partyOf(row, actor)
    if (row.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed' }])
    if (query.from !== undefined && query.from !== row.assignee_id) return takenByOther(within(app, tx), row)
    if (!ticketCan.unassign(stateOf(row), party))
      return { status: 200, body: await serializeTicket(within(app, tx), row, actor) }
    await updateTicket(tx, row.id, afterUnassigning())
    await writeEvent(tx, row, { code: 'given_back', params: {} }, { party, caller })
    return { status: 200, body: await publishChange(app, tx, row, actor) }
  })
}
