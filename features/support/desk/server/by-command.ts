import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { lockUser } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { ticketHandedOver } from '#features/support/tickets/contract.ts'
import { afterAssigning, afterReopening } from '#features/support/tickets/rules.ts'
import {
  isSpam,
  lockTicketNumbered,
  publishTicketChanged,
  stateOf,
  updateTicket,
  writeEvent,
  writeNoteOfOperator,
  type TicketRow,
} from '#features/support/tickets/server/tickets.ts'

/** Acts on tickets from the command line, which is nobody in particular: the lines in a conversation name the operator. */
type Act = { number: number; reason: string }

/**
 * Hands a ticket over to a member of staff, with an internal note if there is one. Returns false if they have it already. Throws 404, 400
 * `unknown_staff`, and 409 `own_ticket` or `ticket_closed`.
 */
export const assignByCommand = (
  app: App,
  { number, reason }: Act,
  { to, note }: { to: string; note?: string | undefined },
): Promise<boolean> =>
  onTicket(app, number, async (tx, row) => {
    if (row.user_id === to) throw new HttpError(409, [{ code: 'own_ticket' }])
    if (row.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed' }])
    const isNew = row.assignee_id !== to
    if (isNew) {
      await updateTicket(tx, row.id, afterAssigning(stateOf(row), to))
      // It is asked under the lock of the member, who may be leaving the staff.
      const member = await lockUser(tx, to)
      if (!member?.is_staff || !member.is_active) throw new HttpError(400, [{ code: 'unknown_staff' }])
      const names = await displayNames(app, tx, [to])
      await writeEvent(tx, row, { code: 'handed_over', params: { name: names.ofStaff(to).name } }, 'system')
      await record(tx, row, 'ticket.handed_over', reason)
      await emit(app, tx, ticketHandedOver, { chat_id: row.public_id, number: row.number, to, by: null })
    }
    if (note !== undefined) {
      await writeNoteOfOperator(tx, row, note)
      await record(tx, row, 'ticket.noted', reason)
    }
    return isNew
  })

/** Closes a ticket as spam, or opens one that was closed so. Returns false if that changes nothing. Throws 404. */
export const markSpamByCommand = (app: App, { number, reason }: Act, spam: boolean): Promise<boolean> =>
  onTicket(app, number, async (tx, row) => {
    if (isSpam(row) === spam) return false
    await updateTicket(tx, row.id, spam ? { status: 'closed', is_spam: true } : afterReopening(stateOf(row)))
    const event = spam ? 'closed' : 'reopened'
    if (!spam || row.status !== 'closed') await writeEvent(tx, row, { code: event, params: {} }, 'system')
    await record(tx, row, spam ? 'ticket.marked_spam' : 'ticket.reopened', reason)
    return true
  })

const onTicket = (app: App, number: number, work: (tx: Tx, row: TicketRow) => Promise<boolean>) =>
  transaction(app, 'system', async (tx) => {
    const row = await lockTicketNumbered(tx, number)
    if (!row) throw notFound()
    const done = await work(tx, row)
    const after = (await lockTicketNumbered(tx, number)) ?? row
    await publishTicketChanged(tx, row, stateOf(row), stateOf(after))
    return done
  })

const record = (
  tx: Tx,
  { user_id, public_id }: TicketRow,
  act: 'ticket.handed_over' | 'ticket.noted' | 'ticket.marked_spam' | 'ticket.reopened',
  reason: string,
): Promise<void> =>
  recordAction(tx, { user_id, act, detail: { by: 'command line', chat_id: public_id, reason } })
