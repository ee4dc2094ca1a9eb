import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { findUser, type Actor } from '#foundation/server/session/session.ts'
import { must } from '#foundation/must.ts'
import * as contract from '#features/support/tickets/contract.ts'
import { afterReply } from '#features/support/tickets/rules.ts'
import { wake } from './act-queries.ts'
import { writeEvent } from './event-lines.ts'
import * as merges from './merge-queries.ts'
import { idOfNumber } from './numbered-queries.ts'
import { planClosingAgain } from './plan-closing.ts'
import { publishTicketChanged, publishToTicketStaff } from './publish.ts'
import * as queries from './queries.ts'
import type { TicketRow } from './queries.ts'
import { serializeTicket } from './serialize.ts'
import { planWaking } from './snooze.ts'
import { openTicket, partyOf, stateOf } from './write-message.ts'

type By = { actor: Actor; caller: Caller }

/** Merges a ticket into another one of the same customer (docs/decisions/218): it closes and points there, and its messages stay. */
export const mergeTicket = handler(contract.mergeTicket, async ({ app, actor, caller, params, body }) => {
  const named = await openTicket(app.db, params.chatId, actor)
  return transaction(app, 'system', async (tx) => {
    const other = await idOfNumber(tx, body.number)
    if (other === undefined || other === named.id) throw badRequest('no_such_ticket', 'number')
    const [ticket, into] = await lockBoth(tx, named.id, other)
    assertMergeable(ticket, into, actor)
    const { assignee_id, status } = await goOn(tx, ticket, into)
    const changed = must(await queries.lockTicketById(tx, into.id))
    await merges.insertMerge(tx, { ticket, into, into_after: merges.keptOf(changed) })
    await queries.updateTicket(tx, ticket.id, { status: 'closed' })
    const by = { party: partyOf(ticket, actor), caller }
    await writeEvent(tx, ticket, { code: 'merged', params: namesOf(into) }, by)
    await writeEvent(tx, into, { code: 'merged_from', params: namesOf(ticket) }, by)
    await publishTicketChanged(tx, into, stateOf(into), { ...stateOf(into), status, assignee_id })
    // A ticket that woke is new on the lists of all colleagues.
    if (into.snoozed_at !== null && changed.snoozed_at === null)
      await publishToTicketStaff(tx, into, { type: contract.TICKET_CHANGED }, { concerns: 'all' })
    return { status: 200, body: await told(app, tx, ticket, actor) } as const
  })
})

const namesOf = ({ public_id: id, number }: TicketRow) => ({ id, number: String(number) })

/** Locks two tickets in the order of their ids, so that two merges at once take turns. */
async function lockBoth(tx: Tx, one: bigint, other: bigint): Promise<[TicketRow, TicketRow]> {
  const rows = new Map<bigint, TicketRow>()
  for (const id of one < other ? [one, other] : [other, one])
    rows.set(id, must(await queries.lockTicketById(tx, id)))
  return [must(rows.get(one)), must(rows.get(other))]
}

function assertMergeable(ticket: TicketRow, into: TicketRow, { user_id }: Actor): void {
  if (ticket.user_id === user_id) throw new HttpError(409, [{ code: 'own_ticket' }])
  if (into.user_id !== ticket.user_id) throw badRequest('other_customer', 'number')
  if (ticket.merged_into_id !== null || into.merged_into_id !== null)
    throw new HttpError(409, [{ code: 'already_merged' }])
  if (into.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed' }])
}

/** The ticket that goes on is staff's turn if the other one was, and wakes, as if its customer had written there. */
async function goOn(
  tx: Tx,
  ticket: TicketRow,
  into: TicketRow,
): Promise<Pick<TicketRow, 'status' | 'assignee_id'>> {
  if (ticket.waiting_since === null) return stateOf(into)
  const after = afterReply(stateOf(into), { role: 'customer' })
  if (after.status !== into.status) await queries.updateTicket(tx, into.id, { status: after.status })
  if (into.snoozed_at !== null) await wake(tx, into.id)
  return after
}

/** Undoes a merge: both tickets are as before, the one that went on only if nothing has changed it since and its customer wrote nothing there. */
export const undoTicketMerge = handler(contract.undoTicketMerge, async ({ app, actor, caller, params }) => {
  const named = await openTicket(app.db, params.chatId, actor)
  return transaction(app, 'system', async (tx) => {
    if (named.merged_into_id === null) throw new HttpError(409, [{ code: 'not_merged' }])
    const [ticket, into] = await lockBoth(tx, named.id, named.merged_into_id)
    if (ticket.user_id === actor.user_id) throw new HttpError(409, [{ code: 'own_ticket' }])
    const merge = await merges.mergeOf(tx, ticket.id)
    if (!merge) throw new HttpError(409, [{ code: 'not_merged' }])
    if (merge.isLate) throw new HttpError(409, [{ code: 'merge_is_final' }])
    await merges.deleteMerge(tx, ticket.id, into.id)
    await restore(tx, ticket.id, merge.before)
    const isAsMerged = merges.isAsMerged(into, merge) && !(await merges.hasWrittenSince(tx, into.id, ticket))
    await restoreOther(tx, into, isAsMerged ? merge.into_before : undefined, { actor, caller })
    await writeEvent(
      tx,
      ticket,
      { code: 'merge_undone', params: namesOf(into) },
      { party: partyOf(ticket, actor), caller },
    )
    return { status: 200, body: await told(app, tx, ticket, actor) } as const
  })
})

async function restoreOther(
  tx: Tx,
  into: TicketRow,
  before: merges.Kept | undefined,
  { actor, caller }: By,
): Promise<void> {
  if (before) await restore(tx, into.id, before)
  await writeEvent(tx, into, { code: 'merge_ended', params: {} }, { party: partyOf(into, actor), caller })
  const after = must(await queries.lockTicketById(tx, into.id))
  await publishTicketChanged(tx, into, stateOf(into), stateOf(after))
}

/**
 * Puts a ticket back as a merge found it. One that slept until a time wakes then, at once if that time has passed, and one that waited for its
 * customer is warned of and closed by the time that it has waited.
 */
async function restore(tx: Tx, id: bigint, kept: merges.Kept): Promise<void> {
  await merges.putBack(tx, id, await withStaff(tx, kept))
  await planClosingAgain(tx, id)
  // A merge that an older release made kept nothing of it.
  if (kept.snoozed_until) await planWaking(tx, { id, snoozed_until: new Date(kept.snoozed_until) })
}

/** A member who has left meanwhile does not get the ticket back. */
async function withStaff(tx: Tx, kept: merges.Kept): Promise<merges.Kept> {
  const member = kept.assignee_id === null ? undefined : await findUser(tx, kept.assignee_id)
  if (member?.is_staff && member.is_active) return kept
  return { ...kept, assignee_id: null, status: kept.status === 'in-progress' ? 'opened' : kept.status }
}

/** Publishes that the ticket changed, and returns it. */
async function told(app: App, tx: Tx, row: TicketRow, actor: Actor): Promise<contract.Ticket> {
  const changed = must(await queries.lockTicketById(tx, row.id))
  await publishTicketChanged(tx, row, stateOf(row), stateOf(changed))
  return serializeTicket(app, tx, changed, actor)
}
