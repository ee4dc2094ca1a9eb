import { paths } from '#features/paths.ts'
import type { MouseEvent, ReactNode } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { Due } from '#features/support/tickets/web/due.tsx'
import { lastWords, statusText, statusTone, topicText } from '#features/support/tickets/web/words.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { formatDateTime, formatDuration, relativeTime } from '#foundation/web/i18n/format.ts'
import { shownCount } from '#foundation/web/i18n/shown-count.ts'
import { Link, useGo } from '#foundation/web/navigation.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { take } from './assign.ts'
import type { Tab } from './filter.ts'
import { PriorityMark } from './priority-mark.tsx'
import { snoozedText } from './snooze-text.ts'
import { TagList } from './tag-list.tsx'

type Props = {
  ticket: Ticket
  tab: Tab
  now: number
  /** The box that selects the ticket. */
  children?: ReactNode
}

/** One ticket: a line of a table on wide screens, a card on a phone. The whole row leads to its chat. */
export function DeskRow({ ticket, tab, now, children }: Props) {
  const go = useGo()
  const path = paths.deskTicket(ticket.id)
  const open = (event: MouseEvent) => {
    const inControl = event.target instanceof Element && event.target.closest('a, button') !== null
    if (!inControl) void go(path)
  }
  return (
    // The link covers the row. This handler is for clicks on the parts above the link, which have tooltips of their own.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <li onClick={open} data-ticket={ticket.id} className={rowClass}>
      {children}
      <div className="min-w-0">
        <div className="flex items-center gap-2">
          <Link to={path} data-row dir="auto" className={linkClass}>
            {ticket.subject}
          </Link>
          {ticket.unread > 0 ? (
            <Badge tone="accent">{m.desk_unread({ count: shownCount(ticket.unread) })}</Badge>
          ) : null}
        </div>
        <span dir="auto" className="block truncate text-left text-sm text-muted">
          {lastWords(ticket, OWN)}
        </span>
        <p className="mt-0.5 truncate text-xs text-muted">
          <span>#{ticket.number}</span> <span>·</span> <bdi>{ticket.customer?.name || m.desk_unnamed()}</bdi>
          <span> · </span>
          <span>{topicText(ticket.topic)}</span>
          {ticket.host_name === null ? null : (
            <>
              <span> · </span>
              <bdi>{ticket.host_name}</bdi>
            </>
          )}
        </p>
        {ticket.tags?.length ? (
          <div className="mt-1 flex flex-wrap gap-1">
            <TagList tags={ticket.tags} />
          </div>
        ) : null}
      </div>
      <div className="flex items-end justify-between gap-3 @3xl:contents">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 @3xl:contents">
          <div className="flex">
            <PriorityMark priority={ticket.priority} />
          </div>
          <div className="min-w-0 text-sm">
            {tab === 'all' || tab === 'snoozed' ? (
              <p className="mb-0.5">
                <Badge tone={statusTone(ticket.status)}>{statusText(ticket.status)}</Badge>
              </p>
            ) : null}
            {ticket.snoozed ? (
              <p className="relative text-muted">{snoozedText(ticket.snoozed)}</p>
            ) : (
              <Since ticket={ticket} now={now} />
            )}
            <p>
              <Due ticket={ticket} now={now} />
            </p>
          </div>
        </div>
        <div className="relative flex max-w-[45%] min-w-0 shrink-0 justify-end text-sm text-muted @3xl:max-w-full">
          <Assignee ticket={ticket} />
        </div>
      </div>
    </li>
  )
}

const OWN = { by_staff: true, text: m.desk_answered }

const rowClass =
  'relative grid cursor-pointer gap-x-5 gap-y-2 px-4 py-3 transition-colors duration-150 hover:bg-sunken ' +
  '@3xl:grid-cols-[minmax(0,1fr)_6.5rem_11rem_8rem] @xl:pl-12 @3xl:items-center @3xl:pr-5'

const linkClass =
  'truncate font-medium after:absolute after:inset-0 after:-outline-offset-2 focus-visible:outline-none ' +
  'focus-visible:after:outline-2 focus-visible:after:outline-accent-text'

/** The time for which the customer has waited; else the time when the ticket was closed, or when the last message was written. */
function Since({ ticket, now }: { ticket: Ticket; now: number }) {
  const { waiting_since, closed_at, last_message_at } = ticket
  const time = waiting_since ?? closed_at ?? last_message_at
  return (
    <time dateTime={time} title={formatDateTime(time)} className="relative text-muted">
      {waiting_since
        ? m.desk_waiting_for({ time: formatDuration((now - Date.parse(waiting_since)) / 1000) })
        : closed_at
          ? m.desk_closed_at({ time: relativeTime(closed_at, now) })
          : m.desk_silent_for({ time: relativeTime(last_message_at, now) })}
    </time>
  )
}

/** The assignee; an unassigned ticket can be taken here. */
function Assignee({ ticket }: { ticket: Ticket }) {
  const takeIt = useAct(() => take(ticket))
  if (ticket.assignee)
    return (
      <span className="truncate">
        {ticket.assignee.id === storedSession.user()?.id
          ? m.desk_assignee_me()
          : ticket.assignee.name || m.desk_unnamed()}
      </span>
    )
  if (ticket.status === 'closed') return null
  return (
    <Button
      size="small"
      pending={takeIt.pending}
      onClick={takeIt.run}
      aria-label={m.desk_take_this({ number: String(ticket.number) })}
    >
      {m.desk_take()}
    </Button>
  )
}
