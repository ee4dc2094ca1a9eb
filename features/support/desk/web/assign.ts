import { propertyOf } from '#foundation/web/property.ts'
import * as contract from '#features/support/desk/contract.ts'
import { getTicket, reopenTicket, type Ticket } from '#features/support/tickets/contract.ts'
import type { Answer, AnswerStatus } from '#foundation/web/api/answer.ts'
import { keyOf } from '#foundation/web/api/query.ts'
import { showAtOnce } from '#foundation/web/api/keep.ts'
import { call } from '#foundation/web/api/call.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toast, toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { absenceText, type MaybeAway } from './away.ts'
import { putTicket, refreshTicket } from './hooks.ts'

/** Takes a ticket without an assignee. If a colleague was faster, a toast names the colleague. */
export async function take(ticket: Ticket): Promise<void> {
  const answer = await call(contract.assignTicket, { params: { chatId: ticket.id }, body: {} })
  applyAssignment(ticket, answer, () => m.desk_taken({ number: String(ticket.number) }))
}

/** Hands a ticket over, but only if it still has the assignee that the page shows. */
export async function handOver(
  ticket: Ticket,
  to: { id: string } & MaybeAway,
  note?: string,
): Promise<Answer<typeof contract.assignTicket>> {
  const answer = await call(contract.assignTicket, {
    params: { chatId: ticket.id },
    body: { user_id: to.id, from: ticket.assignee?.id ?? null, ...(note === undefined ? {} : { note }) },
  })
  applyAssignment(ticket, answer, () =>
    [m.desk_handed_over({ name: to.name }), absenceText(to)].filter(Boolean).join('. '),
  )
  return answer
}

export async function unassign(ticket: Ticket): Promise<void> {
  const from = ticket.assignee?.id
  const answer = await call(contract.giveBackTicket, {
    params: { chatId: ticket.id },
    query: from === undefined ? {} : { from },
  })
  applyAssignment(ticket, answer, () => m.desk_given_back({ number: String(ticket.number) }))
}

/** Closes a ticket as spam; the toast takes that back, which opens the ticket again. */
export async function closeAsSpam(ticket: Ticket): Promise<void> {
  const input = { params: { chatId: ticket.id } }
  const closed = { status: 'closed', closed_at: new Date().toISOString(), spam: true } as const
  const answer = await showAtOnce<Ticket, Answer<typeof contract.markSpam>>(
    keyOf(getTicket, input),
    closed,
    () => call(contract.markSpam, input),
  )
  if (answer.status !== 200) return showError(answer)
  putTicket(answer, answer.body)
  toast({
    type: 'success',
    message: () => m.desk_spam_done({ number: String(ticket.number) }),
    closeable: true,
    undo: async () => {
      const undone = await call(reopenTicket, input)
      if (undone.status === 200) putTicket(undone, undone.body)
      else showError(undone)
    },
  })
}

type Assigned = Answer<typeof contract.assignTicket> | Answer<typeof contract.giveBackTicket>

function applyAssignment(ticket: Ticket, answer: Assigned, done: () => string): void {
  if (answer.status === 200) {
    putTicket(answer, answer.body)
    toastSuccess(done)
  } else showOtherAssignee(ticket, answer)
}

type Change = { priority?: Ticket['priority']; topic?: Ticket['topic'] }

export async function change(ticket: Ticket, body: Change): Promise<void> {
  const input = { params: { chatId: ticket.id } }
  const answer = await showAtOnce<Ticket, Answer<typeof contract.changeTicket>>(
    keyOf(getTicket, input),
    body,
    () => call(contract.changeTicket, { ...input, body }),
  )
  if (answer.status === 200) putTicket(answer, answer.body)
  else showError(answer)
}

/** Shows the slower of two colleagues who has the ticket, and loads the ticket again. */
function showOtherAssignee(ticket: Ticket, answer: AnswerStatus): void {
  const name = answer.status === 409 ? propertyOf(propertyOf(answer.body, 'assignee'), 'name') : undefined
  if (typeof name === 'string' && name !== '')
    toast({ type: 'warning', message: () => m.desk_taken_by({ name }) })
  else showError(answer)
  refreshTicket(ticket.id)
}

function showError(answer: AnswerStatus): void {
  const [error] = answer.errors
  toastError(() => (error ? `${m.desk_act_failed()}: ${errorText(error)}` : m.desk_act_failed()), answer)
}
