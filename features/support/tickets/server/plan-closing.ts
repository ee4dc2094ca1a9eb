import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { AUTO_CLOSE_DAYS, WARNING_DAYS } from '#features/support/tickets/rules.ts'
import { untilClosing } from './closed-queries.ts'

export const WARN = jobKind('warn_before_closing', 'rest')
export const CLOSE = jobKind('close_silent_ticket', 'rest')
/** Tells a customer that their ticket was closed; `messages` does it. */
export const TELL_CLOSED = jobKind('mail_closed_ticket', 'rest')
const DAY_S = 86_400
/** An undoing within this time keeps the mail from going out. */
const TELL_AFTER_S = 900

export type Planned = { ticket_id: string }

/**
 * Plans the warning and the closing of a ticket that waits for its customer, counted from now (rule 31). A reply in between need not cancel
 * the jobs, because each job checks that the ticket has waited long enough.
 */
export const planClosing = (tx: Tx, ticket_id: bigint): void =>
  plan(tx, ticket_id, { warning_s: WARNING_DAYS * DAY_S, closing_s: AUTO_CLOSE_DAYS * DAY_S })

/**
 * Plans them for a ticket that waits again since the time before, if it does, because what ended the wait was undone. Its jobs may have come
 * meanwhile, and done nothing.
 */
export async function planClosingAgain(tx: Tx, ticket_id: bigint): Promise<void> {
  const until = await untilClosing(tx, ticket_id)
  if (until) plan(tx, ticket_id, until)
}

function plan(
  tx: Tx,
  ticket_id: bigint,
  { warning_s, closing_s }: { warning_s: number; closing_s: number },
): void {
  const payload: Planned = { ticket_id: ticket_id.toString() }
  enqueue(tx, WARN, payload, { after_s: warning_s, key: `ticket-warning:${ticket_id}` })
  enqueue(tx, CLOSE, payload, { after_s: closing_s, key: `ticket-closing:${ticket_id}` })
}

/** Plans the mail to a customer whose ticket staff, or the time, have closed. */
export function planTelling(tx: Tx, ticket_id: bigint): void {
  const payload: Planned = { ticket_id: ticket_id.toString() }
  enqueue(tx, TELL_CLOSED, payload, { after_s: TELL_AFTER_S, key: `ticket-closed:${ticket_id}` })
}
