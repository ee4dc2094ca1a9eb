import { SuggestedArticles } from '#features/help/web/help.ts'
import { paths } from '#features/paths.ts'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { ticketCan } from '#features/support/tickets/rules.ts'
import { RateTicket } from '#features/support/ratings/web/rate-ticket.tsx'
import { ExpectedOnTicket } from '#features/support/tickets/web/expected.tsx'
import { actedFor, actFor, onlyReads } from '#foundation/web/acting.ts'
import { toast, toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { ButtonLink, TextLink, usePathValue, useQueryValue } from '#foundation/web/navigation.tsx'
import { operator } from '#foundation/web/operator.ts'
import { m } from '#texts/messages.js'
import { closeTicket, keepTicket, reopenTicket, usePublishTyping } from './hooks.ts'
import { ChatFrame, TicketLoaded } from './chat-frame.tsx'
import { Chat } from './chat.tsx'
import { Composer, useDraft } from './composer.tsx'

/** The customer's conversation with the support about one ticket (rows R-04, K-03). */
export function UserChatPage() {
  const chatId = usePathValue('chatId')
  return (
    <TicketLoaded key={chatId} chatId={chatId}>
      {(ticket) => <InItsAccount ticket={ticket} />}
    </TicketLoaded>
  )
}

/** Shows a ticket in a tab that acts for the account of the ticket: the link in a mail may lead to a ticket of any account. */
function InItsAccount({ ticket }: { ticket: Ticket }) {
  const { id, account } = ticket
  const rate = useQueryValue('rate')
  const isElsewhere = account?.id !== actedFor()?.id
  useEffect(() => {
    if (isElsewhere) actFor(account ?? undefined, paths.ticket(id, { rate }))
  }, [isElsewhere, account, id, rate])
  return isElsewhere ? null : <UserChat ticket={ticket} />
}

export function UserChat({ ticket }: { ticket: Ticket }) {
  const publishTyping = usePublishTyping(ticket.id)
  const draft = useDraft(ticket.id)
  const state = stateOf(ticket)
  const typist = ticket.assignee?.name || m.messages_support_of({ operator: operator.name })
  return (
    <ChatFrame
      ticket={ticket}
      back={paths.tickets()}
      actions={onlyReads() ? null : <CloseButton ticket={ticket} />}
    >
      <Chat ticket={ticket} typist={typist}>
        {ticket.status === 'closed' && !ticket.merged_into && !onlyReads() ? (
          <ClosedNotice ticket={ticket} />
        ) : null}
        <ExpectedOnTicket ticket={ticket} />
        {ticket.status === 'closed' ? <RateTicket ticket={ticket} /> : null}
        {ticketCan.reply(state, { role: 'customer' }) && !onlyReads() ? (
          <Composer
            chat_id={ticket.id}
            kind="comment"
            draft={draft}
            onTyping={publishTyping}
            tools={<SuggestedArticles text={draft.text} inLine />}
          />
        ) : null}
      </Chat>
    </ChatFrame>
  )
}

export const stateOf = ({ status, assignee, closed_at, merged_into }: Ticket) => ({
  is_merged: merged_into !== undefined,
  status,
  assignee_id: assignee?.id ?? null,
  closed_at: closed_at === null ? null : Date.parse(closed_at),
})

function ClosedNotice({ ticket }: { ticket: Ticket }) {
  const may = ticketCan.reply(stateOf(ticket), { role: 'customer' })
  return (
    <Alert>
      <p>{may ? m.messages_closed_may_reply() : m.messages_closed_for_good()}</p>
      {may ? null : (
        <p className="mt-1">
          <TextLink to={paths.tickets({ new: ticket.id })}>{m.messages_open_next()}</TextLink>
        </p>
      )}
    </Alert>
  )
}

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
