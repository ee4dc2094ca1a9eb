import { SuggestedArticles } from '#features/help/web/help.ts'
import { paths } from '#features/paths.ts'
import { Suspense, useEffect } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { ticketCan } from '#features/support/tickets/rules.ts'
import { WaitingQuestion } from '#features/support/ratings/web/waiting-question.tsx'
import { ExpectedOnTicket } from '#features/support/tickets/web/expected.tsx'
import { actedFor, actFor, onlyReads } from '#foundation/web/acting.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { TextLink, usePathValue, useQueryValue } from '#foundation/web/navigation.tsx'
import { operator } from '#foundation/web/operator.ts'
import { m } from '#texts/messages.js'
import { usePublishTyping } from './hooks.ts'
import { ChatFrame, TicketLoaded } from './chat-frame.tsx'
import { Chat } from './chat.tsx'
import { CloseButton, stateOf } from './close-button.tsx'
import { Composer, useDraft } from './composer.tsx'

// Most conversations that are read are open, and nobody rates them yet.
const RateTicket = lazyPart<{ ticket: Ticket }>(() =>
  import('#features/support/ratings/web/rate-ticket.tsx').then((file) => file.RateTicket),
)

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
        {ticket.status === 'closed' && !ticket.merged_into ? (
          <Suspense fallback={<WaitingQuestion />}>
            <RateTicket ticket={ticket} />
          </Suspense>
        ) : null}
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
