import { paths } from '#features/paths.ts'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { ticketCan } from '#features/support/tickets/rules.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { toast, toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { closeTicket, keepTicket, reopenTicket } from './hooks.ts'

type Work = (ticket: Ticket) => ReturnType<typeof closeTicket>

/** The button that closes a ticket or opens it again. Closing asks for no confirmation: one click opens the ticket again. */
export function CloseButton({ ticket, staff = false }: { ticket: Ticket; staff?: boolean }) {
  const state = stateOf(ticket)
  const party = staff ? ({ role: 'staff', user_id: '' } as const) : ({ role: 'customer' } as const)
  const act = useAct(async (work: Work, failed: () => string, done: () => string) => {
    const answer = await work(ticket)
    if (answer.status !== 200) {
      toastError(failed, answer)
      return
    }
    keepTicket(answer, answer.body)
    toast({ type: 'success', message: done })
  })
  if (ticketCan.close(state))
    return (
      <Button
        pending={act.pending}
        icon={<CircleCheck size={16} aria-hidden="true" />}
        onClick={() => act.run(closeTicket, m.messages_close_failed, m.messages_closed_toast)}
      >
        {/* Among the many actions of staff there is no room for words on a phone. */}
        <span className={staff ? 'max-sm:sr-only' : undefined}>{m.messages_close()}</span>
      </Button>
    )
  if (state.is_merged) return null
  return ticketCan.reopen(state, party) ? (
    <Button
      pending={act.pending}
      onClick={() => act.run(reopenTicket, m.messages_update_failed, m.messages_reopened_toast)}
    >
      {m.messages_reopen()}
    </Button>
  ) : (
    <ButtonLink to={paths.tickets({ new: ticket.id })}>{m.messages_open_next()}</ButtonLink>
  )
}

export const stateOf = ({ status, assignee, closed_at, merged_into }: Ticket) => ({
  is_merged: merged_into !== undefined,
  status,
  assignee_id: assignee?.id ?? null,
  closed_at: closed_at === null ? null : Date.parse(closed_at),
})
