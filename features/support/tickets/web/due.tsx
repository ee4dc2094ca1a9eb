import type { Ticket } from '#features/support/tickets/contract.ts'
import { isLate } from '#features/support/tickets/rules.ts'
import { formatDateTime, formatTime } from '#foundation/web/i18n/format.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** When an answer to the ticket is due, for staff; nothing where none is promised. */
export function Due({ ticket, now }: { ticket: Ticket; now: number }) {
  const { due_at } = ticket
  if (due_at === null) return null
  const time = shortTime(due_at, now)
  return isLate(ticket, now) ? (
    <Badge tone="danger" isLong title={m.tickets_late_since({ time: formatDateTime(due_at) })}>
      {m.tickets_late_since({ time })}
    </Badge>
  ) : (
    <time dateTime={due_at} title={formatDateTime(due_at)} className="relative text-muted">
      {m.tickets_due({ time })}
    </time>
  )
}

/** The time alone on the same day, else with its day. */
export const shortTime = (time: string, now: number): string =>
  new Date(time).toDateString() === new Date(now).toDateString() ? formatTime(time) : formatDateTime(time)
