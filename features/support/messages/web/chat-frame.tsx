import { paths } from '#features/paths.ts'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import SearchX from 'lucide-react/icons/search-x'
import type { ReactNode } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { priorityText, statusText, statusTone, topicText } from '#features/support/tickets/web/words.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { ButtonLink, Link } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { m } from '#texts/messages.js'
import { useTicket } from './hooks.ts'

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

/** The frame of a chat: it fills the window, and only the messages scroll. */
export function ChatFrame({ ticket, back, actions, beside, children }: Props) {
  useTitle(`${ticket.subject} · #${ticket.number}`)
  return (
    <div className="@container mx-auto flex h-[calc(100dvh-var(--bars)-1.5rem)] min-h-96 w-full max-w-[70rem] flex-col gap-3 max-lg:-my-3 lg:h-[calc(100dvh-5rem)]">
      <header className="flex flex-wrap items-start justify-between gap-2 border-b border-line pb-3">
        <div className="flex min-w-0 flex-1 basis-56 items-start gap-2">
          <Link to={back} aria-label={m.ui_back()} className={iconButtonClass}>
            <ArrowLeft size={18} aria-hidden="true" />
          </Link>
          <div className="min-w-0 pt-1">
            <h1
              dir="auto"
              tabIndex={-1}
              className="font-semibold tracking-tight text-pretty outline-none [overflow-wrap:anywhere]"
            >
              {ticket.subject}
            </h1>
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
              <span className="tabular-nums">#{ticket.number}</span>
              <Badge tone={statusTone(ticket.status)} title={formatDateTime(ticket.last_message_at)}>
                {statusText(ticket.status)}
              </Badge>
              {/* Staff see the topic and the priority on the menus that change them. */}
              {beside !== undefined ? null : (
                <>
                  <span className="max-sm:hidden">{topicText(ticket.topic)}</span>
                  <span className="max-sm:hidden">{priorityText(ticket.priority)}</span>
                </>
              )}
            </p>
          </div>
        </div>
        <div
          className={classNames(
            'flex flex-wrap gap-2',
            beside !== undefined && 'w-full max-sm:[&>button]:px-3 max-sm:[&>div>button]:px-3',
          )}
        >
          {actions}
        </div>
      </header>
      <div className="flex min-h-0 flex-1 gap-6">
        {children}
        {beside}
      </div>
    </div>
  )
}
