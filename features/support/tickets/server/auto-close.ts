import * as queries from './queries.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, job, type Job } from '#foundation/server/jobs/jobs.ts'
import { whoWantsMail } from '#features/profile/server/profile.ts'
import { ticketClosesSoon } from '#features/support/tickets/contract.ts'
import { AUTO_CLOSE_DAYS, WARNING_DAYS } from '#features/support/tickets/rules.ts'
import { writeEvent } from './event-lines.ts'
import { stateOf } from './write-message.ts'
import { publishTicketChanged } from './publish.ts'
import { CLOSE, planTelling, WARN, type Planned } from './plan-closing.ts'
import { eraseReleasedTickets } from './erase-queries.ts'

/**
 * Mails the customer a warning a day before the ticket is closed. If the job runs again, the customer gets no second mail about the same
 * wait.
 */
async function warn(app: App, { ticket_id }: Planned): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const ticket = await queries.lockInactiveTicket(tx, BigInt(ticket_id), WARNING_DAYS)
    if (!ticket || !(await queries.noteWarning(tx, ticket.id))) return
    const { user_id, number, subject, public_id: chat_id } = ticket
    const wanting = await whoWantsMail(tx, [user_id], 'ticket_closing')
    if (wanting.length > 0)
      await emit(app, tx, ticketClosesSoon, { ticket_id: ticket.id, user_id, number, subject, chat_id })
  })
}

async function close(app: App, { ticket_id }: Planned): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const ticket = await queries.lockInactiveTicket(tx, BigInt(ticket_id), AUTO_CLOSE_DAYS)
    if (!ticket) return
    await queries.updateTicket(tx, ticket.id, { status: 'closed' })
    await writeEvent(tx, ticket, { code: 'auto_closed', params: {} }, 'system')
    planTelling(tx, ticket.id)
    const before = stateOf(ticket)
    await publishTicketChanged(tx, ticket, before, { ...before, status: 'closed' })
  })
}

export const jobs: readonly Job[] = [
  job(WARN, warn),
  job(CLOSE, close),
  cronJob(jobKind('erase_released_tickets', 'rest'), 86_400, (app) =>
    transaction(app, 'system', eraseReleasedTickets),
  ),
]
