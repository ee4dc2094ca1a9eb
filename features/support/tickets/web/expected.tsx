import { useQuery } from '@tanstack/react-query'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { expectAnswer, expectNewAnswer, type ExpectedAnswer } from '#features/support/tickets/due-contract.ts'
import { isLate } from '#features/support/tickets/rules.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { m } from '#texts/messages.js'
import { shortTime } from './due.tsx'

/** How long an answer stays current: others are answered meanwhile. */
const EVERY_ms = 60_000

/** When the customer of a ticket may expect an answer, and how many are before it; nothing where none is promised. */
export function ExpectedOnTicket({ ticket: { id, due_at } }: { ticket: Ticket }) {
  const query = useQuery({
    ...queryFor(expectAnswer, { params: { chatId: id } }),
    enabled: due_at !== null,
    refetchInterval: EVERY_ms,
  })
  return due_at !== null && query.data ? (
    <Expected expected={{ ...query.data, due_at }} now={query.dataUpdatedAt} />
  ) : null
}

/** When a ticket that is about to be written would be answered. */
export function ExpectedForNew({
  priority,
  host_id,
}: {
  priority: Ticket['priority']
  host_id: string | undefined
}) {
  const query = useQuery({
    ...queryFor(expectNewAnswer, { query: { priority, ...(host_id ? { host_id } : {}) } }),
    placeholderData: (before) => before,
  })
  return query.data ? <Expected expected={query.data} now={query.dataUpdatedAt} /> : null
}

function Expected({ expected: { due_at, before }, now }: { expected: ExpectedAnswer; now: number }) {
  if (due_at === null) return null
  const time = shortTime(due_at, now)
  return (
    <p className="text-sm text-muted low:truncate">
      {isLate({ due_at }, now)
        ? m.tickets_expected_late({ time })
        : m.tickets_expected({
            time,
            before: before === 0 ? m.tickets_next() : m.tickets_before({ count: counted(before) }),
          })}
    </p>
  )
}

const counted = (before: number): string => (before >= MOST ? `${MOST}+` : String(before))
/** The number up to which the server counts. */
const MOST = 100
