import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue, job, type Job } from '#foundation/server/jobs/jobs.ts'
import { TICKET_CHANGED } from '#features/support/tickets/contract.ts'
import * as queries from './act-queries.ts'
import { planClosing } from './plan-closing.ts'
import { publishToTicketStaff } from './publish.ts'
import type { TicketRow } from './queries.ts'

const WAKE = jobKind('wake_ticket', 'replies')

/** Lets a ticket sleep until a time, when a job wakes it, or with null until its customer answers. */
export async function snooze(tx: Tx, { id }: TicketRow, until: Date | null): Promise<void> {
  if (!(await queries.setSnooze(tx, id, until))) throw badRequest('past_time', 'snooze')
  await planWaking(tx, { id, snoozed_until: until })
}

/** Plans the job that wakes a ticket at the time until which it sleeps. A job for an earlier time then does nothing. */
export async function planWaking(
  tx: Tx,
  { id, snoozed_until: run_at }: Pick<TicketRow, 'id' | 'snoozed_until'>,
): Promise<void> {
  if (run_at) enqueue(tx, WAKE, { ticket_id: String(id) }, { run_at, key: `ticket-wake:${id}` })
}

/** Wakes a ticket; one that waits for its customer is closed only when it has waited anew. */
export async function wake(tx: Tx, row: TicketRow): Promise<void> {
  await queries.wake(tx, row.id)
  if (row.status === 'pending' && row.snoozed_until !== null) planClosing(tx, row.id)
}

async function wakeDue(app: App, { ticket_id }: { ticket_id: string }): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const row = await queries.lockDueTicket(tx, BigInt(ticket_id))
    if (!row) return
    await wake(tx, row)
    await publishToTicketStaff(tx, row, { type: TICKET_CHANGED }, { concerns: 'all' })
  })
}

export const jobs: readonly Job[] = [job(WAKE, wakeDue)]
