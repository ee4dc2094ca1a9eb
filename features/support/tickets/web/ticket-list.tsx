import { paths } from '#features/paths.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { shownCount } from '#foundation/web/i18n/shown-count.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'
import { lastWords, statusText, statusTone, topicText } from './words.ts'

type Props = {
  tickets: readonly Ticket[]
  label: string
  /** True if all tickets are about one server, which the page names already. */
  isOfHost?: boolean
}

const OWN = { by_staff: false, text: m.tickets_you }

/** A list of tickets. The whole row leads to the conversation, and `j` and `k` walk through the rows. */
export function TicketList({ tickets, label, isOfHost }: Props) {
  return (
    <ul
      aria-label={label}
      className="@container ruled overflow-hidden rounded-lg border border-line bg-surface"
    >
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <Link
            to={paths.ticket(ticket.id)}
            data-row
            className="grid gap-x-5 gap-y-1.5 px-4 py-3 outline-offset-[-2px] transition-colors duration-150 hover:bg-hover @xl:grid-cols-[minmax(0,1fr)_7rem_8rem] @xl:items-center @xl:px-5"
          >
            <span className="min-w-0">
              <span className="flex items-center gap-2">
                <span dir="auto" className="truncate text-sm font-medium">
                  {ticket.subject}
                </span>
                {ticket.unread > 0 ? (
                  <Badge tone="accent">{m.tickets_unread({ count: shownCount(ticket.unread) })}</Badge>
                ) : null}
              </span>
              <span dir="auto" className="block truncate text-left text-sm text-muted">
                {lastWords(ticket, OWN)}
              </span>
              <span className="mt-0.5 block truncate text-xs text-muted">
                <span>#{ticket.number}</span>
                <span> · {topicText(ticket.topic)}</span>
                {ticket.host_name === null || isOfHost ? null : (
                  <>
                    <span> · </span>
                    <bdi>{ticket.host_name}</bdi>
                  </>
                )}
                <span className="@xl:hidden"> · {relativeTime(ticket.last_message_at)}</span>
              </span>
            </span>
            <span>
              <Badge tone={statusTone(ticket.status)}>{statusText(ticket.status)}</Badge>
            </span>
            <time
              dateTime={ticket.last_message_at}
              title={formatDateTime(ticket.last_message_at)}
              className="text-right text-sm text-muted @max-xl:hidden"
            >
              {relativeTime(ticket.last_message_at)}
            </time>
          </Link>
        </li>
      ))}
    </ul>
  )
}
