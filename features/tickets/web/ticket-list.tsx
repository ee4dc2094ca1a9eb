import type { Ticket } from '#features/tickets/contract.ts'
import { formatDateTime, relativeTime, shownCount } from '#foundation/web/i18n/format.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { Badge, StatusDot } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'
import { statusText, statusTone, topicText } from './words.ts'

/** Tickets one below the other; the whole row leads to the conversation, and `j` and `k` walk through them. */
export function TicketList({ tickets, label }: { tickets: readonly Ticket[]; label: string }) {
  return (
    <ul
      aria-label={label}
      className="@container divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
    >
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <Link
            to={`/tickets/${ticket.id}`}
            data-row
            className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3.5 outline-offset-[-2px] transition-colors duration-150 hover:bg-hover"
          >
            <span className="min-w-0 flex-1 basis-64">
              <span className="flex items-center gap-2">
                <span dir="auto" className="truncate text-sm font-medium">
                  {ticket.subject}
                </span>
                {ticket.unread > 0 ? (
                  <Badge tone="accent">{m.tickets_unread({ count: shownCount(ticket.unread) })}</Badge>
                ) : null}
              </span>
              <span className="mt-0.5 block text-sm text-muted">
                <span className="tabular-nums">#{ticket.number}</span> · {topicText(ticket.topic)}
              </span>
            </span>
            <StatusDot tone={statusTone(ticket.status)}>{statusText(ticket.status)}</StatusDot>
            <time
              dateTime={ticket.last_message_at}
              title={formatDateTime(ticket.last_message_at)}
              className="w-32 text-right text-sm text-muted @max-xl:hidden"
            >
              {relativeTime(ticket.last_message_at)}
            </time>
          </Link>
        </li>
      ))}
    </ul>
  )
}
