import { paths } from '#features/paths.ts'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import SearchX from 'lucide-react/icons/search-x'
import { Suspense, type ReactNode } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { priorityText, statusText, statusTone, topicText } from '#features/support/tickets/web/words.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { ButtonLink, Link } from '#foundation/web/navigation.tsx'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { NoticePlace } from '#foundation/web/ui/notice-place.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { m } from '#texts/messages.js'
import { useTicket } from './hooks.ts'

const TicketMails = lazyPart<{ ticket: Ticket }>(() =>
  import('#features/support/mail/web/ticket-mails.tsx').then((file) => file.TicketMails),
)

/** Loads the ticket and shows it, or the reason why it cannot. */
export function TicketLoaded({
  chatId,
  children,
}: {
  chatId: string
  children: (ticket: Ticket) => ReactNode
}) {
  const query = useTicket(chatId)
  return (
    <LoadedPage
      query={query}
      title={m.messages_ticket()}
      failed={m.messages_ticket_fetch_failed()}
      waiting="h-96"
      gone={
        <ErrorPage
          icon={<SearchX size={22} aria-hidden="true" />}
          title={m.messages_not_found()}
          text={m.messages_not_found_text()}
        >
          <ButtonLink to={paths.tickets()}>{m.messages_to_tickets()}</ButtonLink>
        </ErrorPage>
      }
    >
      {children}
    </LoadedPage>
  )
}

type Props = { ticket: Ticket; back: string; actions: ReactNode; beside?: ReactNode; children: ReactNode }

/** The frame of a chat: it takes the room that is left in the window (app/web/shell/shell.tsx), and only the messages scroll. */
export function ChatFrame({ ticket, back, actions, beside, children }: Props) {
  useTitle(`${ticket.subject} · #${ticket.number}`)
  return (
    <div className="@container mx-auto flex min-h-0 w-full max-w-[70rem] flex-[1_1_calc(28rem+var(--space-at-end,0px))] flex-col gap-3 low:gap-1">
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line pb-2 low:pb-1">
        <div className="flex min-w-0 flex-1 basis-56 items-start low:basis-0 gap-2">
          <Link to={back} aria-label={m.ui_back()} className={iconButtonClass}>
            <ArrowLeft size={18} aria-hidden="true" />
          </Link>
          <div className="min-w-0">
            <h1
              dir="auto"
              tabIndex={-1}
              className="font-semibold tracking-tight text-pretty outline-none [overflow-wrap:anywhere]"
            >
              {ticket.subject}
            </h1>
            <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
              <span>#{ticket.number}</span>
              <Badge tone={statusTone(ticket.status)} title={formatDateTime(ticket.last_message_at)}>
                {ticket.spam ? m.tickets_status_spam() : statusText(ticket.status)}
              </Badge>
              <span className={beside === undefined ? 'max-sm:hidden' : undefined}>
                {priorityText(ticket.priority)}
              </span>
              <span className="max-sm:hidden">{topicText(ticket.topic)}</span>
            </p>
          </div>
        </div>
        <div
          className={classNames(
            'flex flex-wrap gap-2 low:scrollbar-none low:flex-nowrap low:overflow-x-auto',
            beside !== undefined &&
              'justify-end max-sm:w-full max-sm:justify-start max-sm:[&>button.border]:px-3',
          )}
        >
          {actions}
        </div>
      </header>
      <NoticePlace />
      <Suspense fallback={null}>
        <TicketMails ticket={ticket} />
      </Suspense>
      <div className="flex min-h-0 flex-[1_1_24rem] gap-6">
        {children}
        {beside}
      </div>
    </div>
  )
}
