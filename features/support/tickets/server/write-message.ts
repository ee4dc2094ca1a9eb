import { isBlank } from '#foundation/is-blank.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { notFound, HttpError, badRequest } from '#foundation/server/http/http-error.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/support/tickets/contract.ts'
import {
  afterReply,
  concernedBy,
  ticketCan,
  type Party,
  type TicketState,
} from '#features/support/tickets/rules.ts'
import { wake } from './act-queries.ts'
import { attach } from './attach.ts'
import { publishMessageCreated, recordStaffAction, writeEvent, type TicketActor } from './event-lines.ts'
import * as messages from './message-queries.ts'
import { planClosing } from './plan-closing.ts'
import * as queries from './queries.ts'
import type { TicketRow } from './queries.ts'
import { recordMessage, recordState } from './record-events.ts'
import { whereLands } from './merged.ts'
import { keepSecret } from './secrets.ts'
import { isStaffView } from './serialize.ts'
import type { KnownNames } from './serialize-messages.ts'
import { personOf } from './ticket-scope.ts'

/** The content of a message that is to be written. */
type Written = {
  client_id: string
  text: string
  attachment_ids?: readonly string[] | undefined
  /** A part that only the other side opens, once. */
  secret?: string
  /** True if it came as a mail. */
  by_mail?: boolean
}

/** Returns the ticket if this caller may open it. Throws 404 alike for a foreign ticket and for an unknown one. */
export async function openTicket(db: App['db'], chatId: string, actor: Actor): Promise<TicketRow> {
  const row = await queries.ticketOf(db, chatId, { user_id: actor.user_id, any: actor.is_staff })
  if (!row) throw notFound()
  return row
}

export async function lockTicket(tx: Tx, chatId: string, actor: Actor): Promise<TicketRow> {
  const row = await queries.lockTicket(tx, chatId, { user_id: actor.user_id, any: actor.is_staff })
  if (!row) throw notFound()
  return row
}

export const partyOf = (ticket: TicketRow, actor: Actor): Party =>
  isStaffView(ticket, actor) ? { role: 'staff', user_id: actor.user_id } : { role: 'customer' }

export const stateOf = ({ status, assignee_id, closed_at, merged_into_id }: TicketRow): TicketState => ({
  is_merged: merged_into_id !== null,
  status,
  assignee_id,
  closed_at: closed_at?.getTime() ?? null,
})

/** Returns the author of the transaction: the system for staff, because the rows of a ticket belong to its customer. */
export const authorOf = (actor: Actor) =>
  actor.is_staff ? { systemFor: actor.user_id } : { userId: actor.user_id }

type Writing = {
  ticket: TicketRow
  actor: Actor
  caller: Caller
  kind: 'comment' | 'note'
  written: Written
  first?: boolean
  /** The names that the message shows, where the caller has read them. */
  known?: KnownNames | undefined
}
type Wrote = { status: 200 | 201; row: messages.MessageRow }

/**
 * Writes one message under the ticket's lock, changes the state of the ticket, and publishes both. A `client_id` that was sent before
 * gives its message, with 200. Throws 409 `ticket_closed`, and 400 `required` for a message without text and files.
 */
export async function writeMessage(app: App, tx: Tx, writing: Writing): Promise<Wrote> {
  const { ticket: named, actor, caller, kind, written, first = false } = writing
  const party = partyOf(named, actor)
  const staff = party.role === 'staff'
  const [{ client_id }, author_id] = [written, personOf(app, actor)]
  const ticket = kind === 'comment' && !staff ? await whereLands(app, tx, named) : named
  const sent = await sentBefore(tx, [named, ticket], { author_id, client_id })
  if (sent) return { status: 200, row: sent }
  if (kind === 'comment' && !ticketCan.reply(stateOf(ticket), party))
    throw new HttpError(409, [{ code: 'ticket_closed' }])
  const by_helper = app.acting !== undefined
  const attachments = await attach(app, tx, {
    uploader_id: author_id,
    customer_id: ticket.user_id,
    ticket_id: ticket.id,
    note: staff && kind === 'note',
    by_helper,
    ids: written.attachment_ids ?? [],
  })
  const { secret } = written
  if (isBlank(written.text) && attachments.length === 0 && secret === undefined)
    throw badRequest('required', 'text')
  const before = first ? undefined : stateOf(ticket)
  const after = kind === 'comment' ? await moveOn(tx, ticket, { party, caller }, first) : stateOf(ticket)
  const row = await messages.insertMessage(tx, {
    ticket_id: ticket.id,
    author_id,
    by_staff: staff,
    kind,
    client_id,
    text: written.text,
    attachments,
    is_helper: by_helper,
    secret_id:
      secret === undefined ? null : await keepSecret(app, tx, ticket, { text: secret, by_staff: staff }),
    by_mail: written.by_mail === true,
  })
  if (kind === 'note') await recordStaffAction(tx, ticket, 'noted', { party, caller })
  else if (first) await recordStaffAction(tx, ticket, 'opened', { party, caller })
  await emit(app, tx, contract.messageWritten, {
    ticket_id: ticket.id,
    chat_id: ticket.public_id,
    customer_id: ticket.user_id,
    author_id,
    kind,
    by_staff: staff,
    seq: row.seq,
    customer_seq: row.customer_seq,
    first,
    text: row.text,
    number: ticket.number,
    topic: ticket.topic,
    host_id: ticket.host_public_id,
    assignee_id: ticket.assignee_id,
  })
  recordState(tx, ticket, before, after)
  recordMessage(app, tx, ticket, row, writing.known)
  // An answer of the customer's side ends the sleep of the ticket; a note, and what staff write, does not.
  const wakes = ticket.snoozed_at !== null && kind === 'comment' && !staff
  if (wakes) await wake(tx, ticket.id)
  const moved = wakes || before?.status !== after.status || before.assignee_id !== after.assignee_id
  await publishMessageCreated(tx, ticket, row, {
    moved,
    read: row.read,
    concerns: wakes ? 'all' : concernedBy(before, after),
  })
  return { status: 201, row }
}

/** A message that was sent before the ticket was merged stands in the ticket that it was sent to. */
async function sentBefore(tx: Tx, tickets: TicketRow[], by: { author_id: string; client_id: string }) {
  for (const ticket_id of new Set(tickets.map(({ id }) => id))) {
    const sent = await messages.messageByClientId(tx, { ticket_id, ...by })
    if (sent) return sent
  }
  return undefined
}

/**
 * Moves the ticket to its state after the message, and returns this state: it is the other party's turn. A new ticket from a customer stays
 * `opened`.
 */
async function moveOn(tx: Tx, ticket: TicketRow, by: TicketActor, first: boolean): Promise<After> {
  const { party } = by
  const before = stateOf(ticket)
  const after = afterReply(before, party)
  if (after.status !== before.status || after.assignee_id !== before.assignee_id) {
    await queries.updateTicket(tx, ticket.id, after)
    if (before.status === 'closed') await writeEvent(tx, ticket, { code: 'reopened', params: {} }, by)
  }
  if (party.role === 'staff') {
    // A ticket that staff open holds no question yet that its first message could answer.
    if (!first) await queries.noteAnswer(tx, ticket.id)
    planClosing(tx, ticket.id)
  }
  return after
}

type After = Pick<TicketState, 'status' | 'assignee_id'>
